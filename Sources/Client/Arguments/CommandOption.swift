import RPC
import SearchModel

/// An option of the command line.
package struct CommandOption: Sendable {
    package enum Value: Sendable {
        case nothing
        case text(String)
        case number(String, in: ClosedRange<Int>)
        /// A number without a unit is in seconds.
        case duration(String, in: ClosedRange<Duration>)
        case choice(String, of: [String])

        package var placeholder: String? {
            switch self {
            case .nothing: nil
            case .text(let word), .number(let word, in: _), .duration(let word, in: _), .choice(let word, of: _): word
            }
        }

        package var takesNoValue: Bool { if case .nothing = self { true } else { false } }
    }

    package let name: String
    package let letter: Character?
    package let value: Value
    package let isRepeatable: Bool
    package let help: String
    package let manual: String
    package let suggestion: Suggestion?

    package init(
        _ name: String,
        letter: Character? = nil,
        value: Value = .nothing,
        isRepeatable: Bool = false,
        help: String,
        manual: String = "",
        suggestion: Suggestion? = nil
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.isRepeatable = isRepeatable
        self.help = help
        self.manual = manual
        self.suggestion = suggestion
    }
}

extension CommandOption {
    static func read(_ word: String, among options: [CommandOption]) -> (option: CommandOption, attached: String?)? {
        if word.hasPrefix("--") {
            let name = word.dropFirst(2).prefix { $0 != "=" }
            guard let option = options.first(where: { $0.name == name }) else { return nil }
            let rest = word.dropFirst(2 + name.count)
            return (option, rest.isEmpty ? nil : String(rest.dropFirst()))
        }
        guard let letter = word.dropFirst().first, let option = options.first(where: { $0.letter == letter })
        else { return nil }
        let rest = word.dropFirst(2)
        return (option, rest.isEmpty ? nil : String(rest.first == "=" ? rest.dropFirst() : rest))
    }
}

extension CommandOption {
    static let socket = CommandOption(
        "socket",
        value: .text("PATH"),
        help: "the daemon's socket (default: $SEARCHD_SOCKET, then your own, then the system's)",
        suggestion: .files
    )
    static let noStart = CommandOption("no-start", help: "fail if no daemon answers, instead of starting one")
    static let color = CommandOption(
        "color",
        value: .choice("WHEN", of: ["auto", "always", "never"]),
        help: "when to use colours and links: auto, always, never"
    )
    static let help = CommandOption("help", letter: "h", help: "show this help")
    static let version = CommandOption("version", help: "show the version")

    package static let common = [socket, noStart, color, help, version]
}

extension CommandOption {
    static func limit(_ things: String, standard: Int, or other: String = "", manual: String = "") -> CommandOption {
        CommandOption(
            "limit",
            letter: "n",
            value: .number("N", in: WireBounds.limit),
            help: "number of \(things) (default \(standard)\(other))",
            manual: "N is at most \(NumberText.grouped(WireBounds.limit.upperBound)). \(manual)"
        )
    }
}

enum OptionReader {
    private static let synonyms: [(word: String, meant: String)] = [
        ("date", "recency"), ("time", "recency"), ("newest", "recency"), ("name", "title"),
    ]

    static func value(
        _ text: String,
        of option: CommandOption,
        typed: String
    ) throws(ClientError) -> Arguments.Value {
        switch option.value {
        case .nothing:
            return .present
        case .text(let placeholder):
            guard !text.isEmpty else {
                throw ClientError(.usage, "the \(placeholder) of \(typed) is empty")
            }
            return .text(text)
        case .number(_, in: let range):
            guard let number = Int(text), range.contains(number) else {
                throw ClientError(.usage, "\(typed) takes \(description(of: range)), not “\(text)”")
            }
            return .number(number)
        case .duration(_, in: let range):
            guard let duration = DurationText.duration(text, onCommandLine: true), range.contains(duration) else {
                let examples = ["500ms", "30s", "10m", "2h", "7d"].filter { example in
                    DurationText.duration(example, onCommandLine: true).map(range.contains) == true
                }
                throw ClientError(
                    .usage,
                    "\(typed) takes \(description(of: range)), not “\(text)”",
                    hint: "Examples: \(examples.joined(separator: ", ")). A number without a unit is in seconds."
                )
            }
            return .duration(duration)
        case .choice(_, of: let words):
            guard words.contains(text) else {
                let removed = RemovedWord.replacement(of: "--\(option.name) \(text)", in: nil)
                let meant = synonyms.first(where: { $0.word == text && words.contains($0.meant) })?.meant
                let hint = removed ?? meant.map { NearestName.question($0) } ?? ClientError.guess(text, among: words)
                throw ClientError(.usage, "\(typed) takes \(words.joined(separator: ", ")), not “\(text)”", hint: hint)
            }
            return .text(text)
        }
    }

    private static func description(of range: ClosedRange<Duration>) -> String {
        let bounds = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
        return range.lowerBound == .zero ? "a time of at most \(bounds.1)" : "a time from \(bounds.0) to \(bounds.1)"
    }

    private static func description(of range: ClosedRange<Int>) -> String {
        let first = NumberText.grouped(range.lowerBound)
        return range.upperBound == .max
            ? "a number from \(first)" : "a number from \(first) to \(NumberText.grouped(range.upperBound))"
    }
}

/// Options and formats of earlier versions, and what to use instead.
enum RemovedWord {
    private static let all: [(command: String?, word: String, replacement: String)] = [
        (
            "live", "--plain",
            "“searchctl search QUERY” prints line by line, and “searchctl again --page 2” prints the next page."
        ),
        ("again", "--missed", "“searchctl again --fresh” asks the sources of the last search again."),
        (nil, "--format alfred", "“--format json” has the same data. jq can turn it into script filter items."),
        (nil, "--json=1", "Write only “--json”."),
        (nil, "--format ris", "“--format csv” has the same data."),
        (nil, "--format bibtex", "“--format csv” has the same data."),
        ("sources", "-k", "“searchctl sources @books” lists the sources of a profile and their kinds."),
        ("search", "--offset", "“--page N” skips the hits of the first N - 1 pages."),
        ("library", "--watch", "Run “searchctl call -” and type a request of library/watch. It prints each change."),
        (nil, "--long", "“searchctl show N” shows the details of hit N."),
    ]

    static func replacement(of word: String, in command: String?) -> String? {
        all.first { $0.word == word && ($0.command == nil || $0.command == command) }
            .map { $0.word == "--json=1" ? $0.replacement : "It was removed. \($0.replacement)" }
    }
}
