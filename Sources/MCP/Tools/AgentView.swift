package import JSON
package import RPC
package import SearchModel

/// A result of a method as an agent gets it: the members it has use for, with all texts cleaned.
///
/// What is left matches the schema that the same tool has in `tools/list`. Pure.
package struct AgentView: Sendable {
    private let style: Schema.Style

    /// More of a free object's members, or deeper ones, are dropped.
    private static let freeMembersMax = 64
    private static let freeDepthMax = 8

    /// Members that hold a name or an id, which must stay as it is.
    private static let tokens: [Member] = [
        .id, .source, .sources, .alsoFrom, .next, .saved, .kind, .kinds, .name, .published, .savedAt, .updatedAt, .at,
        .resetsAt, .forecast,
    ]
    private static let links: [Member] = [.url, .thumbnail]

    package init(leavingOut members: [Member] = []) {
        style = .alone(leavingOut: members)
    }

    /// The value of a schema, cleaned; nil when it is a link that must not stand.
    package func value(_ value: JSONCursor, _ schema: Schema, of member: Member? = nil) -> JSONValue? {
        switch schema {
        case .null, .flag, .number, .integer: return value.value
        case .text, .words: return value.string.flatMap { text($0, of: member) }
        case .anything: return free(value, depth: Self.freeDepthMax)
        case .list(let element): return .array(value.elements.compactMap { self.value($0, element, of: member) })
        case .either(let first, let second):
            return value.isNull ? .null : self.value(value, first.isNull ? second : first, of: member)
        case .component(let component): return self.value(value, component.schema, of: member)
        case .object(let fields, let others): return .object(object(value, fields, others))
        }
    }

    private func object(_ object: JSONCursor, _ fields: [Schema.Field], _ others: Schema?) -> [JSONMember] {
        var members: [JSONMember] = []
        object.forEachMember { name, value in
            if let field = fields.first(where: { $0.member.description.hasSameBytes(as: name) }) {
                guard style.keeps(field), let clean = self.value(value, field.schema, of: field.member) else { return }
                members.append(JSONMember(name, clean))
            } else if let others, members.count < Self.freeMembersMax, let clean = self.value(value, others) {
                members.append(JSONMember(AgentText.cleaned(name), clean))
            }
        }
        return members
    }

    private func text(_ text: String, of member: Member?) -> JSONValue? {
        if let member, Self.links.contains(member) { return LinkText.cleaned(text).map(JSONValue.string) }
        if let member, Self.tokens.contains(member), Self.isToken(text) { return .string(text) }
        return .string(Self.cleaned(text))
    }

    /// A text that may be an address.
    private static func cleaned(_ text: String) -> String {
        let isAddress = LinkText.isWeb(text.unicodeScalars) && !text.unicodeScalars.contains(" ")
        return isAddress ? LinkText.cleaned(text) ?? "(link left out)" : AgentText.cleaned(text)
    }

    /// Whether a text is of the characters of ids and names alone, none of which begins markup.
    private static func isToken(_ text: String) -> Bool {
        text.utf8.count <= 512 && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || ".:_-+/@=,%".utf8.contains($0) }
    }

    /// A value that no schema describes.
    private func free(_ value: JSONCursor, depth: Int) -> JSONValue? {
        let isDeep = value.kind == .array || value.kind == .object
        if isDeep, depth == 0 { return nil }
        switch value.kind {
        case .null, .bool, .number: return value.value
        case .string: return value.string.map { .string(Self.cleaned($0)) }
        case .array:
            return .array(value.elements.prefix(Self.freeMembersMax).compactMap { free($0, depth: depth - 1) })
        case .object:
            var members: [JSONMember] = []
            value.forEachMember { name, value in
                guard members.count < Self.freeMembersMax, let clean = free(value, depth: depth - 1) else { return }
                members.append(JSONMember(AgentText.cleaned(name), clean))
            }
            return .object(members)
        }
    }
}

extension Schema {
    fileprivate var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
