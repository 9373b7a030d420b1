import JSON
import Terminal

/// Messages of a search on standard error: none where another program draws.
struct SearchNotices {
    private let console: Console
    private let isQuiet: Bool

    init(_ arguments: Arguments, _ format: HitFormat, _ console: Console) {
        self.console = console
        let isForLauncher = [.lines(.fzf), .lines(.rofi)].contains(format) && console.errorsIsTerminal
        isQuiet = arguments.has(.quiet) || isForLauncher
    }

    /// Whether a line may be drawn and erased.
    func mayShowProgress(_ environment: Environment) -> Bool {
        let canTakeBack = environment["TERM"].map { $0 != "dumb" } ?? false
        return !isQuiet && console.errorsIsTerminal && canTakeBack && !console.outputIsPipe && mayWrite
    }

    var isOn: Bool { !isQuiet && mayWrite }

    func report(_ line: String) {
        if isOn { console.report(line) }
    }

    /// False while the reader of our output, such as fzf or less, draws on the terminal of our errors.
    private var mayWrite: Bool {
        guard console.errorsIsTerminal, console.outputIsPipe else { return true }
        return TerminalMode(console.errors)?.isReadByLine ?? true
    }
}

/// Other queries, as commands to type; pure.
enum DidYouMeanText {
    static let commandsMax = 3

    /// Whether a query has only initials of syllables: `ㄱㅇㅇ`.
    static func isInitials(_ query: String) -> Bool {
        let letters = query.unicodeScalars.filter { $0 != " " }
        return letters.count > 1 && letters.allSatisfy { ("ㄱ"..."ㅎ").contains($0) } && Set(letters).count > 1
    }

    /// `words` are the options of the search, then `--` and its query.
    static func lines(_ queries: [String], of words: [String]) -> [String] {
        let options = words.prefix { !$0.hasSameBytes(as: "--") }.map(option)
        let commands = queries.prefix(commandsMax).map { query in
            let words = query.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
            let needsDashes = words.contains { $0.utf8.first == UInt8(ascii: "-") }
            let isPlain = words.allSatisfy { ShellWord.quoted($0).hasSameBytes(as: $0) }
            let line = ["searchctl", "search"] + options + (needsDashes ? ["--"] : [])
            return (line + [isPlain ? query : ShellWord.quoted(query)]).joined(separator: " ")
        }
        return switch commands.count {
        case 0: []
        case 1: ["Did you mean this? \(commands[0])"]
        default: ["Did you mean one of these?"] + commands.map { "  \($0)" }
        }
    }

    private static func option(_ word: String) -> String {
        let name = String(Substring(word.utf8.prefix { $0 != UInt8(ascii: "=") }))
        let value = String(Substring(word.utf8.dropFirst(name.utf8.count + 1)))
        return name.utf8.count == word.utf8.count ? name : "\(name)=\(ShellWord.quoted(value))"
    }
}
