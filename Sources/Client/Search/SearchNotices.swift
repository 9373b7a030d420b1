import Terminal

/// What a search says on standard error beside its hits: errors aside, nothing where another program draws.
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

    func report(_ line: String) {
        if !isQuiet, mayWrite { console.report(line) }
    }

    /// False while the reader of our output draws on the terminal of our errors: fzf, less.
    private var mayWrite: Bool {
        guard console.errorsIsTerminal, console.outputIsPipe else { return true }
        return TerminalMode(console.errors)?.isReadByLine ?? true
    }
}
