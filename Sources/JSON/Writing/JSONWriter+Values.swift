/// Trees, and members in one call; a member whose value is nil is left out.
extension JSONWriter {
    /// A tree, written by recursion over its depth.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let bool): self.bool(bool)
        case .number(let number): self.number(number)
        case .string(let string): self.string(string)
        case .array(let elements):
            array { writer in
                for element in elements { writer.value(element) }
            }
        case .object(let members):
            object { writer in
                for member in members { writer.member(member.name, member.value) }
            }
        }
    }

    package mutating func member(_ name: String, _ string: String?) {
        guard let string else { return }
        self.name(name)
        self.string(string)
    }

    package mutating func member(_ name: String, _ integer: Int?) {
        guard let integer else { return }
        self.name(name)
        self.integer(integer)
    }

    package mutating func member(_ name: String, _ bool: Bool?) {
        guard let bool else { return }
        self.name(name)
        self.bool(bool)
    }

    package mutating func member(_ name: String, _ value: JSONValue?) {
        guard let value else { return }
        self.name(name)
        self.value(value)
    }
}

extension JSONValue {
    /// The value as JSON text without blanks.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}
