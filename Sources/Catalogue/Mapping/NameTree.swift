import JSON

/// The names in the paths of a source's rules, as a tree; one pass over an object finds all values.
struct NameTree: Sendable {
    private struct Node: Sendable {
        let parent: Int
        let name: [UInt8]
        let hash: UInt32
        /// The next node in the same slot, or 0.
        let next: Int
        var inner: [Int] = []

        func isNamed(_ other: Span<UInt8>) -> Bool { name.span.hasSameBytes(as: other) }
    }

    private var nodes = [Node(parent: -1, name: [], hash: 0, next: 0)]
    /// A hash table: each slot has the index of its first node, or 0.
    private var slots = [Int](repeating: 0, count: 64)

    mutating func add(_ names: some Sequence<[UInt8]>) -> Int {
        names.reduce(0) { parent, name in
            let hash = Self.hash(name.span, below: parent)
            if let node = node(name.span, hash, below: parent) { return node }
            if parent > 0, !nodes[nodes[parent].parent].inner.contains(parent) {
                nodes[nodes[parent].parent].inner.append(parent)
            }
            let slot = Int(hash) & (slots.count - 1)
            nodes.append(Node(parent: parent, name: name, hash: hash, next: slots[slot]))
            slots[slot] = nodes.count - 1
            return nodes.count - 1
        }
    }

    /// Sets `values[node]` to the index of the node's value in the document, or to -1 if the value is missing.
    func find(_ values: inout [Int], in element: Int, of document: JSONView) {
        values.replaceSubrange(values.indices, with: repeatElement(-1, count: nodes.count))
        values[0] = element
        find(&values, below: 0, document)
    }

    private func find(_ values: inout [Int], below node: Int, _ document: JSONView) {
        document.forEachMember(of: values[node]) { name in
            let found = document.withText(at: name) { bytes in
                self.node(bytes, Self.hash(bytes, below: node), below: node)
            }
            // If a name is repeated, its last value is used.
            if let found { values[found] = name + 1 }
        }
        for inner in nodes[node].inner where values[inner] >= 0 { find(&values, below: inner, document) }
    }

    private func node(_ name: Span<UInt8>, _ hash: UInt32, below parent: Int) -> Int? {
        var node = slots[Int(hash) & (slots.count - 1)]
        while node != 0 {
            if nodes[node].hash == hash, nodes[node].parent == parent, nodes[node].isNamed(name) { return node }
            node = nodes[node].next
        }
        return nil
    }

    private static func hash(_ name: Span<UInt8>, below parent: Int) -> UInt32 {
        let count = UInt32(truncatingIfNeeded: name.count &+ parent &* 256)
        guard name.count >= 4 else { return name.indices.reduce(count) { ($0 << 8 | $0 >> 24) ^ UInt32(name[$1]) } }
        // The name has at least four bytes, so both loads are inside. Any four bytes are a valid number.
        let first = unsafe name.bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt32.self)
        let last = unsafe name.bytes.unsafeLoadUnaligned(fromByteOffset: name.count - 4, as: UInt32.self)
        let mixed = (first &* 0x9E37_79B1) ^ (last &* 0x85EB_CA77) ^ (count &* 0xC2B2_AE3D)
        return mixed ^ mixed >> 15
    }
}
