package import JSON

/// A source's option beyond the common parameters: a name, a type and its range.
package struct OptionSpec: Equatable, Sendable {
    package enum ValueType: Equatable, Sendable {
        case choice([String])
        case integer(ClosedRange<Int>)
        /// True and false, as the source writes them.
        case flag(on: String, off: String)
        case text(bytes: ClosedRange<Int>, of: Alphabet)
    }

    package enum Alphabet: String, CaseIterable, Sendable {
        case any
        /// `A–Z` and `a–z`.
        case letters
        case digits
        /// Letters, digits, `_`, `-` and `.`.
        case word
    }

    package static let textBytesMax = 256

    package let name: String
    package let type: ValueType
    /// The value if the caller sets none; nil omits the parameter.
    package let defaultValue: String?
    package let about: String?

    /// Returns the text to send to the source; nil if the value is not allowed.
    package func text(of value: JSONValue) -> String? {
        switch type {
        case .choice(let choices): value.string.flatMap { written in choices.first { $0.hasSameBytes(as: written) } }
        case .integer(let range): value.int.flatMap { range.contains($0) ? String($0) : nil }
        case .flag(let on, let off): value.bool.map { $0 ? on : off }
        case .text(let bytes, let alphabet):
            value.string.flatMap { bytes.contains($0.utf8.count) && alphabet.holds($0) ? $0 : nil }
        }
    }

    /// A description of valid values, for messages.
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

    /// The option as `source/list` shows it.
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
}

extension OptionSpec.Alphabet {
    fileprivate func holds(_ text: String) -> Bool {
        switch self {
        case .any: text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        case .letters: text.utf8.allSatisfy(\.isLetter)
        case .digits: text.utf8.allSatisfy(\.isDigit)
        case .word:
            text.utf8.allSatisfy {
                $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: ".")
            }
        }
    }
}
