import JSON

/// A value for which a source file is read again, such as a language of Wikipedia.
///
/// All members share one file: every `{name}` in its strings is replaced before the file is interpreted.
struct FamilyMember: Equatable, Sendable {
    static let membersMax = 64

    let name: String
    let value: String

    /// The placeholder as written in the file.
    var placeholder: String { "{\(name)}" }

    /// Reads the members that a file's `family` declares.
    static func all(_ declared: Declared) throws(CatalogueError) -> [FamilyMember] {
        let object = try declared.object(["name", "values"])
        let named = try object.required("name")
        let name = try named.string("a name such as lang")
        guard name.utf8.allSatisfy(\.isSmallLetter), name != "query" else {
            throw named.error(
                "\u{201C}\(name)\u{201D} can't be used here",
                hint: "Use a–z, but not the name of a request placeholder."
            )
        }
        var members: [FamilyMember] = []
        let values = try object.required("values").oneOrMore()
        guard values.count <= membersMax else { throw declared.error("has over \(membersMax) values") }
        for value in values {
            let text = try value.string()
            guard text.utf8.allSatisfy(isValueByte) else {
                throw value.error("\u{201C}\(text)\u{201D} can't be part of a name", hint: "Use a–z, 0–9 and -.")
            }
            members.append(FamilyMember(name: name, value: text))
        }
        return members
    }

    /// Returns the file for this member.
    func applied(to file: Declared) -> Declared {
        Declared(node: applied(to: file.node), file: file.file, key: file.key, mistakes: file.mistakes)
    }

    private func applied(to node: JSON5Node) -> JSON5Node {
        switch node.value {
        case .string(let text) where text.contains("{"):
            JSON5Node(.string(text.replacing(placeholder, with: value)), line: node.line, column: node.column)
        case .array(let elements):
            JSON5Node(.array(elements.map(applied)), line: node.line, column: node.column)
        case .object(let members):
            JSON5Node(.object(members.map(applied)), line: node.line, column: node.column)
        case .null, .bool, .number, .string: node
        }
    }

    private func applied(to member: JSON5Member) -> JSON5Member {
        JSON5Member(name: member.name, line: member.line, column: member.column, node: applied(to: member.node))
    }

    private static func isValueByte(_ byte: UInt8) -> Bool {
        byte.isSmallLetter || byte.isDigit || byte == UInt8(ascii: "-")
    }
}
