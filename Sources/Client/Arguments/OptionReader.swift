/// Reads the text behind an option as what the option declares.
enum OptionReader {
    static func value(_ text: String, of option: CommandOption) throws(ClientError) -> Arguments.Value {
        switch option.value {
        case .nothing:
            return .present
        case .text(let placeholder):
            guard !text.isEmpty else {
                throw ClientError(.usage, "the \(placeholder) of --\(option.name) is empty")
            }
            return .text(text)
        case .number(_, in: let range):
            guard let number = Int(text), range.contains(number) else {
                throw ClientError(.usage, "--\(option.name) takes \(description(of: range)), not “\(text)”")
            }
            return .number(number)
        case .duration(_, in: let range):
            guard let duration = DurationText.duration(text), range.contains(duration) else {
                throw ClientError(
                    .usage,
                    "--\(option.name) takes \(description(of: range)), not “\(text)”",
                    hint: "Examples: 500ms, 30s, 10m, 2h, 7d; a bare number is in seconds."
                )
            }
            return .duration(duration)
        case .choice(_, of: let words), .optional(_, of: let words):
            guard words.contains(text) else {
                let hint = ClientError.guess(text, among: words)
                throw ClientError(
                    .usage,
                    "--\(option.name) takes \(words.joined(separator: ", ")), not “\(text)”",
                    hint: hint
                )
            }
            return .text(text)
        }
    }

    private static func description(of range: ClosedRange<Duration>) -> String {
        let bounds = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
        return range.lowerBound == .zero ? "a time of at most \(bounds.1)" : "a time from \(bounds.0) to \(bounds.1)"
    }

    private static func description(of range: ClosedRange<Int>) -> String {
        let first = FigureText.grouped(range.lowerBound)
        return range.upperBound == .max
            ? "a number from \(first)" : "a number from \(first) to \(FigureText.grouped(range.upperBound))"
    }
}
