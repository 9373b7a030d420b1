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
                let on = declared.part(try object["on"]?.string()) ?? "true"
                self = .flag(on: on, off: declared.part(try object["off"]?.string()) ?? "false")
            default:
                let range = 0...OptionSpec.textBytesMax
                let bytes = declared.part(
                    try object["bytes"]?.pair { end throws(CatalogueError) in try end.integer(in: range) }
                )
                let alphabet: Alphabet? = declared.part(try object["of"]?.word())
                self = .text(bytes: bytes ?? 1...OptionSpec.textBytesMax, of: alphabet ?? .any)
            }
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
                + (alphabet == .any ? "" : ", only letters") + (alphabet == .word ? ", digits, _, - and ." : "")
        }
    }

    package var json: JSONValue {
        func number(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }
        let members: [(String, JSONValue?)] =
            switch type {
            case .choice(let choices): [("type", "choice"), ("values", .array(choices.map(JSONValue.string)))]
            case .integer(let range):
                [("type", "integer"), ("min", number(range.lowerBound)), ("max", number(range.upperBound))]
            case .flag: [("type", "boolean")]
            case .text(let bytes, _): [("type", "string"), ("maxBytes", number(bytes.upperBound))]
            }
        let all = members + [("default", defaultValue.map(JSONValue.string)), ("about", about.map(JSONValue.string))]
        return .object(all.compactMap { name, value in value.map { JSONMember(name, $0) } })
    }

    init(_ name: String, _ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields([
            "type", "values", "min", "max", "on", "off", "of", "bytes", "default", "about",
        ])
        self.name = name
        defaultValue = declared.part(try object["default"]?.string())
        about = declared.part(try object["about"]?.string())
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
