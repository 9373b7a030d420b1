package import JSON
package import SearchModel

/// Reads named parameters.
///
/// Throws `invalidParams` for a duplicate, unknown or invalid parameter.
package struct Parameters {
    private let members: [(name: String, value: JSONCursor)]
    private let path: String
    private var known: [String] = []

    private static let knownExpected = 24
    /// The maximum number of parameters of a request, and of members of a parameter.
    package static let membersMax = 64
    package static let nameBytesMax = 512
    package static let textBytesMax = 32 << 10

    package init(_ params: JSONCursor?, path: String = "params") throws(SearchError) {
        self.path = path
        guard let params else {
            members = []
            return
        }
        guard params.kind == .object else {
            throw Self.invalid(path, "parameters must be passed by name", hint: "Send an object.")
        }
        members = try Self.members(of: params, path: path)
        known.reserveCapacity(Self.knownExpected)
        for index in members.indices.dropFirst() {
            let name = members[index].name
            guard members[..<index].contains(where: { $0.name.hasSameBytes(as: name) }) else { continue }
            throw Self.invalid("\(path).\(name)", "duplicate parameter", hint: "Send it once.")
        }
    }

    package init(_ members: [(name: String, value: JSONCursor)], path: String) {
        (self.members, self.path) = (members, path)
    }

    package static func members(
        of object: JSONCursor,
        path: String
    ) throws(SearchError) -> [(name: String, value: JSONCursor)] {
        guard object.count <= membersMax else {
            throw invalid(path, "it has more than \(membersMax) members", hint: "Send at most \(membersMax) members.")
        }
        let members = object.members
        guard members.allSatisfy({ $0.name.utf8.count <= nameBytesMax }) else {
            throw invalid(
                path,
                "a name is longer than \(nameBytesMax) bytes",
                hint: "rpc.discover lists the parameters."
            )
        }
        return members
    }

    package mutating func string(_ name: Member) throws(SearchError) -> String? {
        guard let value = take(name) else { return nil }
        guard value.kind == .string else { throw mismatch(name, "a string") }
        guard let string = Self.text(of: value) else {
            throw mismatch(name, "a string of at most \(Self.textBytesMax) bytes")
        }
        return string
    }

    private static func text(of value: JSONCursor) -> String? {
        value.text.count <= textBytesMax + 2 ? value.string : nil
    }

    package static func value(of cursor: JSONCursor, path: String) throws(SearchError) -> JSONValue {
        guard cursor.text.count <= textBytesMax else {
            throw invalid(path, "it is longer than \(textBytesMax) bytes", hint: "Send a shorter value.")
        }
        return cursor.value
    }

    package mutating func requiredString(_ name: Member) throws(SearchError) -> String {
        guard let string = try string(name) else {
            throw Self.invalid("\(path).\(name)", "\"\(name)\" is missing", hint: "Give \"\(name)\" as a string.")
        }
        return string
    }

    package mutating func bool(_ name: Member) throws(SearchError) -> Bool? {
        guard let value = take(name) else { return nil }
        guard let bool = value.bool else { throw mismatch(name, "true or false") }
        return bool
    }

    package mutating func integer(_ name: Member, in range: ClosedRange<Int>) throws(SearchError) -> Int? {
        guard let value = take(name) else { return nil }
        guard let integer = value.int, range.contains(integer) else {
            let bounds =
                range.upperBound == .max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw mismatch(name, "an integer \(bounds)")
        }
        return integer
    }

    package mutating func number(_ name: Member) throws(SearchError) -> String? {
        guard let value = take(name) else { return nil }
        guard value.kind == .number else { throw mismatch(name, "a number") }
        return String(decoding: value.text, as: UTF8.self)
    }

    package mutating func strings(_ name: Member, countMax: Int) throws(SearchError) -> [String]? {
        guard let value = take(name) else { return nil }
        guard value.kind == .array, value.count <= countMax else {
            throw mismatch(name, "a list of at most \(countMax) strings")
        }
        var strings: [String] = []
        for (index, element) in value.elements.enumerated() {
            guard let string = Self.text(of: element) else {
                throw Self.invalid(
                    "\(path).\(name)[\(index)]",
                    "it is not a string of at most \(Self.textBytesMax) bytes",
                    hint: "Give a list of strings."
                )
            }
            strings.append(string)
        }
        return strings
    }

    package mutating func list(_ name: Member, countMax: Int) throws(SearchError) -> [JSONCursor]? {
        guard let value = take(name) else { return nil }
        guard value.kind == .array, value.count <= countMax else {
            throw mismatch(name, "a list of at most \(countMax) values")
        }
        return Array(value.elements)
    }

    package mutating func object(_ name: Member) throws(SearchError) -> JSONCursor? {
        guard let value = take(name) else { return nil }
        guard value.kind == .object else { throw mismatch(name, "an object") }
        return value
    }

    package mutating func choice<Choice>(_ name: Member) throws(SearchError) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let text = try string(name) else { return nil }
        guard let choice = Choice(exactly: text) else {
            throw mismatch(name, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// Throws if the request has a parameter that was not read.
    ///
    /// Must be called last.
    package func finish() throws(SearchError) {
        for (name, _) in members where !known.contains(where: { $0.hasSameBytes(as: name) }) {
            let nearest = NearestName.of(name, among: known)
            throw Self.invalid(
                "\(path).\(name)",
                "unknown parameter",
                hint: nearest.map(NearestName.question)
                    ?? (known.isEmpty
                        ? "This method takes no parameters." : "Known: \(known.joined(separator: ", ")).")
            )
        }
    }

    package func mismatch(_ name: Member, _ expected: String) -> SearchError {
        Self.invalid("\(path).\(name)", "\"\(name)\" is not \(expected)", hint: "Give \(expected).")
    }

    package static func invalid(_ path: String, _ message: String, hint: String) -> SearchError {
        SearchError(.invalidParams, "\(path): \(message)", retryable: false, hint: hint, path: path)
    }

    private mutating func take(_ name: Member) -> JSONCursor? {
        let name = name.description
        known.append(name)
        guard let value = members.first(where: { $0.name.hasSameBytes(as: name) })?.value, !value.isNull else {
            return nil
        }
        return value
    }
}
