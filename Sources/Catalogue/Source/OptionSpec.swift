package import JSON
package import SearchModel

/// The declaration of an option of a source.
package struct OptionSpec: Equatable, Sendable {
    package enum ValueType: Equatable, Sendable {
        case choice([String])
        case integer(ClosedRange<Int>)
        /// The texts that the source uses for true and false.
        case flag(on: String, off: String)
        case text(bytes: ClosedRange<Int>, of: Alphabet)

        var isTyped: Bool {
            switch self {
            case .integer, .flag: true
            case .choice, .text: false
            }
        }

        fileprivate init(_ object: DeclaredObject) throws(CatalogueError) {
            let declared = object.declared
            let types = ["choice", "integer", "flag", "text"]
            switch try object.required("type").word(types.map { ($0, $0) }) {
            case "choice": self = .choice(try object.required("values").strings())
            case "integer":
                let low = try object.required("min").integer(in: -1_000_000_000...1_000_000_000)
                self = .integer(low...(try object.required("max").integer(in: low...1_000_000_000)))
            case "flag":
                let on = declared.optional(try object["on"]?.string()) ?? "true"
                self = .flag(on: on, off: declared.optional(try object["off"]?.string()) ?? "false")
            default:
                let bytes = declared.optional(try object["bytes"].map(Self.byteRange)) ?? 1...OptionSpec.textBytesMax
                self = .text(bytes: bytes, of: declared.optional(try object["of"]?.word()) ?? .any)
            }
        }

        private static func byteRange(_ declared: Declared) throws(CatalogueError) -> ClosedRange<Int> {
            let ends = try declared.list()
            guard ends.count == 2 else { throw declared.error("is not a pair", hint: "Write [shortest, longest].") }
            let low = try ends[0].integer(in: 0...OptionSpec.textBytesMax)
            return low...(try ends[1].integer(in: low...OptionSpec.textBytesMax))
        }
    }

    package enum Alphabet: String, CaseIterable, Sendable {
        case any
        case letters
        case word

        fileprivate func holds(_ text: String) -> Bool {
            switch self {
            case .any: text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            case .letters: text.utf8.allSatisfy(\.isLetter)
            case .word: text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-.".utf8.contains($0) }
            }
        }
    }

    package static let textBytesMax = 256

    package let name: String
    package let type: ValueType
    /// If nil, and the caller does not set the option, the parameter is omitted.
    package let defaultValue: String?
    package let about: String?

    package func text(of value: JSONValue) -> String? {
        switch type {
        case .choice(let choices): value.string.flatMap { written in choices.first { $0.hasSameBytes(as: written) } }
        case .integer(let range): value.int.flatMap { range.contains($0) ? String($0) : nil }
        case .flag(let on, let off): value.bool.map { $0 ? on : off }
        case .text(let bytes, let alphabet):
            value.string.flatMap { bytes.contains($0.utf8.count) && alphabet.holds($0) ? $0 : nil }
        }
    }

    package var expectation: String {
        switch type {
        case .choice(let choices): "one of \(choices.joined(separator: ", "))"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .flag: "true or false"
        case .text(let bytes, let alphabet):
            "a text of \(bytes.lowerBound) to \(bytes.upperBound) bytes"
                + (alphabet == .any ? "" : ", only \(alphabet)")
        }
    }

    package var json: JSONValue {
        var members: [JSONMember]
        switch type {
        case .choice(let choices):
            members = [JSONMember("type", "choice"), JSONMember("values", .array(choices.map(JSONValue.string)))]
        case .integer(let range):
            let (low, high) = (JSONNumber(range.lowerBound), JSONNumber(range.upperBound))
            members = [
                JSONMember("type", "integer"), JSONMember("min", .number(low)), JSONMember("max", .number(high)),
            ]
        case .flag: members = [JSONMember("type", "boolean")]
        case .text(let bytes, _):
            members = [JSONMember("type", "string"), JSONMember("maxBytes", .number(JSONNumber(bytes.upperBound)))]
        }
        if let defaultValue { members.append(JSONMember("default", .string(defaultValue))) }
        if let about { members.append(JSONMember("about", .string(about))) }
        return .object(members)
    }

    init(_ name: String, _ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields([
            "type", "values", "min", "max", "on", "off", "of", "bytes", "default", "about",
        ])
        self.name = name
        defaultValue = declared.optional(try object["default"]?.string())
        about = declared.optional(try object["about"]?.string())
        type = try ValueType(object)
    }
}

extension Source {
    /// Returns the options sorted by name; throws `invalidParams` if an option is not valid.
    package func options(from members: [JSONMember]) throws(SearchError) -> [Option] {
        var checked: [String: Option] = [:]
        for member in members {
            let path = "params.options.\(name).\(member.name)"
            guard let spec = options.first(where: { $0.name.hasSameBytes(as: member.name) }) else {
                let nearest = NearestName.of(member.name, among: options.map(\.name)).map(NearestName.question)
                let names = options.map(\.name).joined(separator: ", ")
                let all = names.isEmpty ? "It has no options." : "Its options are: \(names)."
                let message = "\(name) does not have this option"
                throw SearchError(.invalidParams, message, of: name, hint: nearest ?? all, path: path)
            }
            guard let text = spec.text(of: member.value) else {
                let hint = "It must be \(spec.expectation)."
                throw SearchError(.invalidParams, "this value is not allowed", of: name, hint: hint, path: path)
            }
            checked[spec.name] = Option(name: spec.name, value: text)
        }
        return checked.values.sorted()
    }

    package var optionsJSON: JSONValue {
        .object(options.map { JSONMember($0.name, $0.json) })
    }
}
