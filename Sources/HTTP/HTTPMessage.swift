import JSON

/// One HTTP request, complete, with nothing said about how it is carried.
package struct HTTPRequest: Equatable, Sendable {
    package var method: String
    /// The absolute URL on the client's side; the target (`/path?query`) on the server's.
    package var url: String
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(method: String = "GET", url: String, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

/// One HTTP response with its whole body, content encodings already undone.
package struct HTTPResponse: Equatable, Sendable {
    package var status: Int
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Header fields in the order they stand on the wire; names compare without case.
package struct HTTPFields: Equatable, Sendable {
    package struct Field: Equatable, Sendable {
        package var name: String
        package var value: String
    }

    package private(set) var fields: [Field]

    package init(_ fields: [(String, String)] = []) {
        self.fields = fields.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value under a name; setting replaces every field of that name, or removes them with nil.
    ///
    /// - Complexity: O(n) in the number of fields.
    package subscript(name: String) -> String? {
        get { fields.first { Self.same($0.name, name) }?.value }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Adds a field even when one of that name is there.
    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { $0.lowered == $1.lowered }
    }
}
