package import JSON
package import SearchModel

/// The type of a value.
///
/// `rpc.discover` writes the type as JSON Schema, and the manual describes it in words.
package indirect enum Schema: Sendable {
    case anything
    case null
    case flag
    case text
    case number
    case integer(ClosedRange<Int>)
    case words([String])
    case list(Schema)
    /// If `others` is set, the object can have further members of this type.
    case object([Field], others: Schema? = nil)
    case either(Schema, Schema)
    case component(Component)

    package struct Field: Sendable {
        package let member: Member
        package let schema: Schema
        package let about: String
        package let isRequired: Bool
        package let standard: JSONValue?

        package static func required(_ member: Member, _ schema: Schema, _ about: String = "") -> Field {
            Field(member: member, schema: schema, about: about, isRequired: true, standard: nil)
        }

        package static func optional(
            _ member: Member,
            _ schema: Schema,
            _ about: String = "",
            default standard: JSONValue? = nil
        ) -> Field {
            Field(member: member, schema: schema, about: about, isRequired: false, standard: standard)
        }

        static func integer(
            _ member: Member,
            _ range: ClosedRange<Int>,
            _ about: String = "",
            default standard: Int
        ) -> Field {
            .optional(member, .integer(range), about, default: .number(JSONNumber(standard)))
        }
    }

    package struct Component: Sendable {
        package let name: String
        package let about: String
        package let schema: Schema

        package init(_ name: String, _ about: String, _ schema: Schema) {
            self.name = name
            self.about = about
            self.schema = schema
        }
    }

    package static let count = Schema.integer(0...Int.max)
    package static let texts = Schema.list(.text)
    package static let time = Schema.component(.time)

    package static func words<Word: RawRepresentable<String>>(_ words: [Word]) -> Schema {
        .words(words.map(\.rawValue))
    }

    static let reasons =
        SkipReason.allCases.map(\.rawValue)
        + WaitReason.allCases.map(\.rawValue).filter { SkipReason(rawValue: $0) == nil }

    package static func map(_ values: Schema) -> Schema {
        .object([], others: values)
    }
}

extension Schema {
    /// How to write a schema: where the components are, and which members are left out.
    package struct Style: Sendable {
        let references: String
        let leavesOut: [Member]

        package static let openRPC = Style(references: "#/components/schemas/", leavesOut: [])

        package static func alone(leavingOut members: [Member]) -> Style {
            Style(references: "#/$defs/", leavesOut: members)
        }

        package func keeps(_ field: Field) -> Bool { !leavesOut.contains(field.member) }
    }

    package func document(leavingOut members: [Member] = []) -> JSONValue {
        let style = Style.alone(leavingOut: members)
        var components: [Component] = []
        collect(&components, style)
        guard !components.isEmpty else { return json(style) }
        let definitions = components.sorted { $0.name < $1.name }.map { component in
            let keywords = component.schema.keywords(style)
            return JSONMember(
                component.name,
                .object([JSONMember("description", .string(component.about))] + keywords)
            )
        }
        return .object(keywords(style) + [JSONMember("$defs", .object(definitions))])
    }

    private func collect(_ components: inout [Component], _ style: Style) {
        switch self {
        case .anything, .null, .flag, .text, .number, .integer, .words: break
        case .list(let element): element.collect(&components, style)
        case .object(let fields, let others):
            for field in fields where style.keeps(field) { field.schema.collect(&components, style) }
            others?.collect(&components, style)
        case .either(let first, let second):
            first.collect(&components, style)
            second.collect(&components, style)
        case .component(let component):
            guard !components.contains(where: { $0.name == component.name }) else { return }
            components.append(component)
            component.schema.collect(&components, style)
        }
    }

    package func json(_ style: Style = .openRPC) -> JSONValue { .object(keywords(style)) }

    private func keywords(_ style: Style) -> [JSONMember] {
        switch self {
        case .anything: []
        case .null: Self.type("null")
        case .flag: Self.type("boolean")
        case .text: Self.type("string")
        case .number: Self.type("number")
        case .integer(let range):
            Self.type("integer")
                + (range.lowerBound > .min ? [JSONMember("minimum", .number(JSONNumber(range.lowerBound)))] : [])
                + (range.upperBound < .max ? [JSONMember("maximum", .number(JSONNumber(range.upperBound)))] : [])
        case .words(let words): [JSONMember("enum", .array(words.map(JSONValue.string)))]
        case .list(let element): Self.type("array") + [JSONMember("items", element.json(style))]
        case .object(let all, let others): Self.object(all.filter(style.keeps), others, style)
        case .either(let first, let second): [JSONMember("anyOf", [first.json(style), second.json(style)])]
        case .component(let component): [JSONMember("$ref", .string(style.references + component.name))]
        }
    }

    private static func object(_ fields: [Field], _ others: Schema?, _ style: Style) -> [JSONMember] {
        type("object") + [
            JSONMember("properties", .object(fields.map { JSONMember($0.member, $0.json(style)) })),
            JSONMember("required", .array(fields.filter(\.isRequired).map { .string($0.member.description) })),
            JSONMember("additionalProperties", others?.json(style) ?? false),
        ]
    }

    private static func type(_ name: String) -> [JSONMember] { [JSONMember("type", .string(name))] }
}

extension Schema.Field {
    fileprivate func json(_ style: Schema.Style) -> JSONValue {
        var members = schema.json(style).members ?? []
        if let standard { members.append(JSONMember("default", standard)) }
        if !about.isEmpty { members.append(JSONMember("description", .string(about))) }
        return .object(members)
    }

    package var contentDescriptor: JSONValue {
        ["name": .string(member.rawValue), "required": .bool(isRequired), "schema": json(.openRPC)]
    }
}
