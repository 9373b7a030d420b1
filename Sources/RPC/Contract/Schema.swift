package import JSON
package import SearchModel

/// What a value on the wire may be: written as JSON Schema in `rpc.discover`, and in words in the manual.
package indirect enum Schema: Sendable {
    case anything
    case null
    case flag
    case text
    case number
    case integer(ClosedRange<Int>)
    case words([String])
    case list(Schema)
    /// An object of these members; `others` is what further ones are, whose names are not known before, or nil when
    /// there are none.
    case object([Field], others: Schema? = nil)
    case either(Schema, Schema)
    case component(Component)

    /// A member of an object, or a parameter.
    package struct Field: Sendable {
        package let member: Member
        package let schema: Schema
        /// One or more sentences; may be empty when the name says it all.
        package let about: String
        package let isRequired: Bool
        /// What is meant when it is absent.
        package let standard: JSONValue?

        /// A member that is always there.
        package static func required(_ member: Member, _ schema: Schema, _ about: String = "") -> Field {
            Field(member: member, schema: schema, about: about, isRequired: true, standard: nil)
        }

        /// A member that may be absent.
        package static func optional(
            _ member: Member,
            _ schema: Schema,
            _ about: String = "",
            default standard: JSONValue? = nil
        ) -> Field {
            Field(member: member, schema: schema, about: about, isRequired: false, standard: standard)
        }
    }

    /// A schema that several others refer to by its name.
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

    /// A number of things.
    package static let count = Schema.integer(0...Int.max)
    package static let texts = Schema.list(.text)
    /// RFC 3339.
    package static let time = Schema.component(.time)

    package static func words<Word: RawRepresentable<String>>(_ words: [Word]) -> Schema {
        .words(words.map(\.rawValue))
    }

    /// Why a source is skipped, or why its call waits.
    static let reasons =
        SkipReason.allCases.map(\.rawValue)
        + WaitReason.allCases.map(\.rawValue).filter { SkipReason(rawValue: $0) == nil }

    /// An object whose members have names that are not known before.
    package static func map(_ values: Schema) -> Schema {
        .object([], others: values)
    }
}

extension Schema {
    /// The JSON Schema.
    package var json: JSONValue { .object(keywords) }

    private var keywords: [JSONMember] {
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
        case .list(let element): Self.type("array") + [JSONMember("items", element.json)]
        case .object(let fields, let others):
            Self.type("object") + [
                JSONMember("properties", .object(fields.map { JSONMember($0.member, $0.json) })),
                JSONMember("required", .array(fields.filter(\.isRequired).map { .string($0.member.description) })),
                JSONMember("additionalProperties", others?.json ?? false),
            ]
        case .either(let first, let second): [JSONMember("anyOf", [first.json, second.json])]
        case .component(let component): [JSONMember("$ref", .string("#/components/schemas/\(component.name)"))]
        }
    }

    private static func type(_ name: String) -> [JSONMember] { [JSONMember("type", .string(name))] }
}

extension Schema.Field {
    fileprivate var json: JSONValue {
        var members = schema.json.members ?? []
        if let standard { members.append(JSONMember("default", standard)) }
        if !about.isEmpty { members.append(JSONMember("description", .string(about))) }
        return .object(members)
    }

    /// The field as OpenRPC describes a parameter.
    package var contentDescriptor: JSONValue {
        .object([
            JSONMember("name", .string(member.description)), JSONMember("required", .bool(isRequired)),
            JSONMember("schema", json),
        ])
    }
}
