package import JSON

/// The name of a JSON member on the wire, shared by the daemon and its clients.
///
/// The names of a hit's members are constants in this module. All other names are constants in `RPC/Contract`.
package struct Member: Equatable, Sendable, CustomStringConvertible {
    /// The name, without characters that need escapes.
    package let name: StaticString

    package init(_ name: StaticString) {
        self.name = name
    }

    package var description: String { name.description }

    package static func == (left: Member, right: Member) -> Bool { left.description == right.description }
}

extension JSONCursor {
    package subscript(_ member: Member) -> JSONCursor? { self[member.description] }
}

extension JSONValue {
    package subscript(_ member: Member) -> JSONValue? { self[member.description] }
}

extension JSONMember {
    package init(_ member: Member, _ value: JSONValue) {
        self.init(member.description, value)
    }
}

/// These methods omit a member if its value is nil.
extension JSONWriter {
    package mutating func name(_ member: Member) {
        plainName(member.name)
    }

    package mutating func member(_ member: Member, _ string: String?) {
        if let string { plainMember(member.name, string) }
    }

    package mutating func member(_ member: Member, _ integer: Int?) {
        guard let integer else { return }
        name(member)
        self.integer(integer)
    }

    package mutating func member(_ member: Member, _ double: Double?) {
        guard let double else { return }
        name(member)
        self.double(double)
    }

    package mutating func member(_ member: Member, _ bool: Bool?) {
        guard let bool else { return }
        name(member)
        self.bool(bool)
    }

    package mutating func member(_ member: Member, _ value: JSONValue?) {
        guard let value else { return }
        name(member)
        self.value(value)
    }

    /// Writes a member whose value is JSON text; if the output must be one line, the text must not have line breaks.
    package mutating func member(_ member: Member, raw: some Collection<UInt8>) {
        name(member)
        self.raw(raw)
    }

    package mutating func member(_ member: Member, _ strings: some Sequence<String>) {
        array(member) { writer in
            for string in strings { writer.string(string) }
        }
    }

    package mutating func object(_ member: Member, _ body: (inout JSONWriter) throws -> Void) rethrows {
        name(member)
        try object(body)
    }

    package mutating func array(_ member: Member, _ body: (inout JSONWriter) throws -> Void) rethrows {
        name(member)
        try array(body)
    }
}
