/// What stood on the command line after the command, sorted out.
///
/// Invariant: every value fits what its option declares, so that reading it can't fail.
package struct Arguments: Equatable, Sendable {
    /// The value of one occurrence of an option.
    package enum Value: Equatable, Sendable {
        case present
        case text(String)
        case number(Int)
        case duration(Duration)
    }

    package private(set) var words: [String] = []
    private var values: [String: [Value]] = [:]

    package init(words: [String] = []) {
        self.words = words
    }

    mutating func append(word: String) {
        words.append(word)
    }

    mutating func append(_ value: Value, of option: CommandOption) {
        values[option.name, default: []].append(value)
    }

    /// Whether the option was given at all.
    package func has(_ option: CommandOption) -> Bool {
        values[option.name] != nil
    }

    /// The text of the option's last occurrence.
    package func text(_ option: CommandOption) -> String? {
        texts(option).last
    }

    /// The texts of all occurrences, in their order.
    package func texts(_ option: CommandOption) -> [String] {
        (values[option.name] ?? []).compactMap { value in
            if case .text(let text) = value { text } else { nil }
        }
    }

    /// The tags of all occurrences, as the library has them.
    func tags(_ option: CommandOption) -> [String] { texts(option).map(Self.tag) }

    /// A tag without the sign that lists put before it.
    static func tag(_ word: String) -> String {
        word.utf8.first == UInt8(ascii: "#") && word.utf8.count > 1 ? String(Substring(word.utf8.dropFirst())) : word
    }

    /// The number of the option's last occurrence.
    package func number(_ option: CommandOption) -> Int? {
        guard case .number(let number) = values[option.name]?.last else { return nil }
        return number
    }

    /// The time of the option's last occurrence.
    package func duration(_ option: CommandOption) -> Duration? {
        guard case .duration(let duration) = values[option.name]?.last else { return nil }
        return duration
    }

    /// The same options with other words.
    func replacing(words: [String]) -> Arguments {
        var other = self
        other.words = words
        return other
    }

    /// The same words without these options.
    func without(_ options: [CommandOption]) -> Arguments {
        var rest = self
        for option in options { rest.values[option.name] = nil }
        return rest
    }

    /// The same words, with each option of the others instead of its own.
    func overridden(by others: Arguments) -> Arguments {
        var merged = self
        merged.values.merge(others.values) { _, new in new }
        return merged
    }

    /// The command line that is read as these words and the given options of theirs.
    func words(of options: [CommandOption]) -> [String] {
        let written = options.flatMap { option in
            (values[option.name] ?? []).map { value in
                switch value {
                case .present: "--\(option.name)"
                case .text(let text): "--\(option.name)=\(text)"
                case .number(let number): "--\(option.name)=\(number)"
                case .duration(let duration): "--\(option.name)=\(Int(duration / .milliseconds(1)))ms"
                }
            }
        }
        return written + ["--"] + words
    }
}
