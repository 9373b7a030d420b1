import JSON
import Terminal

/// Prints the messages of a search to standard error.
struct SearchNotices {
    private let console: Console
    private let isQuiet: Bool

    init(_ context: Context, _ format: HitFormat) {
        console = context.console
        let isForLauncher = [.lines(.fzf), .lines(.rofi)].contains(format) && console.errorsIsTerminal
        isQuiet = context.arguments.has(.quiet) || isForLauncher
    }

    func mayShowProgress(_ environment: Environment) -> Bool {
        let canEraseLine = environment["TERM"].map { $0 != "dumb" } ?? false
        return !isQuiet && console.errorsIsTerminal && canEraseLine && !console.outputIsPipe && mayWrite
    }

    var isOn: Bool { !isQuiet && mayWrite }

    func report(_ line: String) {
        if isOn { console.report(line) }
    }

    func report(_ text: String, command: String) {
        if isOn { console.report(text, command: command) }
    }

    /// False if the program that reads the output, such as fzf or less, draws on the terminal.
    private var mayWrite: Bool {
        guard console.errorsIsTerminal, console.outputIsPipe else { return true }
        return TerminalMode(console.errors)?.isReadByLine ?? true
    }
}

package enum DidYouMeanText {
    static let commandsMax = 3

    package static func isInitials(_ query: String) -> Bool {
        let letters = query.unicodeScalars.filter { $0 != " " }
        return letters.count > 1 && letters.allSatisfy { ("ㄱ"..."ㅎ").contains($0) } && Set(letters).count > 1
    }

    static func plausible(_ texts: [String], for query: String) -> [String] {
        func letters(_ text: String) -> Int { text.unicodeScalars.count { $0 != " " } }
        let others = texts.filter { letters($0) <= letters(query) + 1 && !$0.hasSameBytes(as: query) }
        return Array(others.prefix(commandsMax))
    }

}

/// Writes a search as a command line.
enum SearchLine {
    /// The options in `words` end at `--`.
    static func text(_ query: String, _ words: [String]) -> String {
        let options = words.prefix { !$0.hasSameBytes(as: "--") }.map(option)
        let words = query.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        let needsDashes = words.contains { $0.utf8.first == UInt8(ascii: "-") }
        let isPlain = words.allSatisfy { ShellWord.quoted($0).hasSameBytes(as: $0) }
        let line = ["searchctl", "search"] + options + (needsDashes ? ["--"] : [])
        return (line + [isPlain ? query : ShellWord.quoted(query)]).joined(separator: " ")
    }

    private static func option(_ word: String) -> String {
        let name = String(Substring(word.utf8.prefix { $0 != UInt8(ascii: "=") }))
        let value = String(Substring(word.utf8.dropFirst(name.utf8.count + 1)))
        return name.utf8.count == word.utf8.count ? name : "\(name)=\(ShellWord.quoted(value))"
    }
}
