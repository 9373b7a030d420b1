/// Names that are looked for in many objects; made once, compared without making a string of anything.
package struct JSONNames: Sendable {
    private let bytes: [UInt8]
    /// Where each name ends in `bytes`.
    private let ends: [Int]

    package init(_ names: [String]) {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for name in names {
            bytes += name.utf8
            ends.append(bytes.count)
        }
        self.bytes = bytes
        self.ends = ends
    }

    /// The place of the name that some bytes are.
    ///
    /// - Complexity: O(n) in the names; bytes are compared only with names of the same length.
    func place(of name: Span<UInt8>) -> Int? {
        let bytes = bytes.span
        let ends = ends.span
        var start = 0
        for place in 0..<ends.count {
            let end = ends[place]
            if end - start == name.count {
                var index = 0
                while index < name.count, bytes[start + index] == name[index] { index += 1 }
                if index == name.count { return place }
            }
            start = end
        }
        return nil
    }
}

extension JSONCursor {
    /// Visits those members of an object, in order, that have one of some names, each with the name's place among them.
    ///
    /// Of a repeated name every member is visited. Nothing is visited when this is no object.
    ///
    /// - Complexity: O(n · m) in the members and the names.
    package func forEachMember(named names: JSONNames, _ body: (Int, JSONCursor) throws -> Void) rethrows {
        guard kind == .object else { return }
        let bytes = storage.bytes
        let text = bytes.span
        let end = Int(storage.entries[place].next)
        var place = place + 1
        while place < end {
            let name = storage.entries[place]
            let found: Int?
            if name.hasEscapes {
                let unescaped = JSONCursor(storage: storage, place: place).string ?? ""
                found = names.place(of: unescaped.utf8.span)
            } else {
                found = names.place(of: text.extracting(Int(name.start) + 1..<Int(name.end) - 1))
            }
            if let found { try body(found, JSONCursor(storage: storage, place: place + 1)) }
            place = Int(storage.entries[place + 1].next)
        }
    }
}
