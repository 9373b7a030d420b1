/// What a search says on standard error beside its hits, where somebody can read it.
struct SearchNotices {
    private let console: Console
    private let isQuiet: Bool

    init(_ arguments: Arguments, _ format: HitFormat, _ console: Console) {
        self.console = console
        // A launcher draws on the terminal that we would write to.
        let isForLauncher = [.lines(.fzf), .lines(.rofi), .lines(.alfred)].contains(format) && console.errorsIsTerminal
        isQuiet = arguments.has(.quiet) || isForLauncher
    }

    /// Whether a line may be drawn and taken back, with nobody else drawing there.
    func mayShowProgress(_ environment: Environment) -> Bool {
        let canTakeBack = environment["TERM"].map { $0 != "dumb" } ?? false
        return !isQuiet && console.errorsIsTerminal && canTakeBack && !console.outputIsPipe && mayWrite
    }

    /// Reports a line, broken at blanks where a terminal would break it anywhere.
    func report(_ line: String) {
        guard !isQuiet, mayWrite else { return }
        insist(line)
    }

    /// Reports a line that is said also to those who want to hear nothing: an error.
    func insist(_ line: String) {
        let lines = console.errorsIsTerminal ? LineWrap.lines(line, columns: console.columns) : [line]
        for line in lines { console.report(line) }
    }

    /// False while the reader of our output draws on the terminal of our errors: fzf, less.
    private var mayWrite: Bool {
        guard console.errorsIsTerminal, console.outputIsPipe else { return true }
        return TerminalMode(console.errors)?.isReadByLine ?? true
    }
}
