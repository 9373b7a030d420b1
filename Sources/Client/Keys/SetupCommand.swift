import SearchModel

/// `searchctl setup`: shows what can be searched without keys, and asks for the missing ones.
struct SetupCommand {
    static let command = Command(
        "setup",
        .setUp,
        summary: "set up keys step by step, and search for the first time",
        details: [
            "It shows what can be searched without keys and what each key would add, opens or prints the address where "
                + "the key is from, asks for it without echo, tries it, and ends with a first search. Keys that are set "
                + "are skipped. In a pipe it only reports."
        ],
        options: [.system, .noTry],
        examples: ["searchctl setup"],
        run: run
    )

    private let keeper: KeyKeeper
    private let context: Context
    private let printer: Printer
    private let layout: Layout

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let setup = SetupCommand(
            keeper: KeyKeeper(arguments, context),
            context: context,
            printer: Printer(context.console),
            layout: Layout(columns: context.console.columns)
        )
        let snapshot = try setup.keeper.snapshot()
        let missing = snapshot.accounts.filter { !$0.hasKey }
        try setup.print(report(snapshot).flatMap { setup.layout.lines($0) })
        guard let question = Question(context.console) else {
            return missing.isEmpty ? .found : .notConfigured
        }
        for account in missing { try setup.ask(for: account, snapshot, question) }
        let query = LibraryEntry.line(try question.answer("A first search, for example 고양이 (Enter for none): "))
        guard !query.isEmpty else { return .found }
        return try SearchCommand.run(Arguments(words: [query]), context)
    }

    static func report(_ snapshot: DaemonSnapshot) -> [String] {
        let open = snapshot.enabled
        let head = "\(FigureText.count(open.count, "source")) can be searched now: \(names(open.map(\.name)))."
        let accounts = snapshot.accounts.map { account in
            let sources = names(account.sources)
            if account.hasKey { return "\(account.name): its key is set (\(sources))." }
            let about = account.ways.flatMap(\.secrets).map(\.about).filter { !$0.isEmpty }
            return "\(account.name): a key would add \(sources). It takes \(about.first ?? "a key")."
        }
        return [head] + accounts
    }

    private static func names(_ names: [String]) -> String { names.isEmpty ? "none" : FigureText.names(names) }

    /// The address in the description of a secret.
    static func address(in about: String) -> String? {
        let words = about.split(separator: " ").map { $0.filter { $0 != "," && $0 != "(" && $0 != ")" } }
        return words.first { $0.contains(".") && $0.last != "." && !$0.contains("/") }.map { "https://\($0)" }
    }

    private func print(_ lines: [String]) throws(ClientError) {
        try printer.print(lines.map { $0 + "\n" }.joined())
    }

    private func ask(for account: KeyAccount, _ snapshot: DaemonSnapshot, _ question: Question) throws(ClientError) {
        for way in account.ways {
            let name = way.name.isEmpty ? account.name : "\(account.name) (\(way.name))"
            guard try question.isConfirmed("Set the key of \(name) now?") else { continue }
            do throws(ClientError) {
                try keeper.requireAccess(snapshot, "set", account.name, way.name)
                if let address = way.secrets.lazy.compactMap({ Self.address(in: $0.about) }).first {
                    try show(address)
                }
                let outcome = try keeper.set(account, way)
                try print(outcome.lines)
                if let error = outcome.error { throw error }
                return
            } catch  where error.code != .interrupted {
                context.console.report(FailureText.line(error))
            }
        }
    }

    /// Prints an address, and opens it on a desktop.
    private func show(_ address: String) throws(ClientError) {
        try print(["The key is from \(address)"])
        guard context.environment["DISPLAY"] != nil || context.environment["WAYLAND_DISPLAY"] != nil else { return }
        // Printed, it can be opened by hand.
        try? Browser(context.environment, hasTerminal: true).open(address)
    }
}
