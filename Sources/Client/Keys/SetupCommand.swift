import SearchModel

/// The command `searchctl setup`, which shows what can be searched without keys, and asks for missing keys.
struct SetupCommand {
    static let command = Command(
        "setup",
        .setUp,
        summary: "set up keys step by step, and search for the first time",
        details: [
            "Shows what can be searched without keys, and what each key adds. For each missing key, it prints the "
                + "address where you can get it, asks for it without echo and tests it. Then it asks for a first query. "
                + "In a pipe, it only reports."
        ],
        options: [.system, .noTry],
        examples: ["searchctl setup"],
        run: run
    )

    private let keeper: KeyKeeper
    private let context: Context

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let setup = SetupCommand(keeper: KeyKeeper(context), context: context)
        let snapshot = try setup.keeper.snapshot()
        let missing = snapshot.accounts.filter(\.lacksKey)
        try setup.print(report(snapshot).flatMap { context.layout.lines($0) })
        guard let question = Question(context.console) else {
            return missing.isEmpty ? .found : .notConfigured
        }
        for account in missing { try setup.ask(for: account, snapshot) }
        let query = LibraryEntry.line(try question.answer("Type a first search, such as 고양이 (Enter for none): "))
        guard !query.isEmpty else { return .found }
        return try SearchCommand.run(context.with(Arguments(words: [query])))
    }

    static func report(_ snapshot: DaemonSnapshot) -> [String] {
        let open = snapshot.enabled
        let head =
            "\(NumberText.count(open.count, "source")) can be asked: \(names(open.map(\.name))). “searchctl doctor” "
            + "tries them."
        let accounts = snapshot.accounts.map { account in
            let sources = names(account.sources)
            if account.hasKey { return "\(account.name): its key is set (\(sources))." }
            let about = account.ways.reversed().compactMap(\.secrets.first?.about).filter { !$0.isEmpty }
            let keys = about.isEmpty ? "a key" : about.joined(separator: ", or ")
            return account.lacksKey
                ? "\(account.name): a key would add \(sources). You need \(keys)."
                : "\(account.name): works without a key (\(sources)). A key is \(keys)."
        }
        return [head] + accounts
    }

    private static func names(_ names: [String]) -> String { names.isEmpty ? "none" : NumberText.names(names) }

    private func print(_ lines: [String]) throws(ClientError) {
        try context.report(json: [], or: lines.flatMap(context.layout.fitted))
    }

    /// Asks for each key, without first asking whether to set it, because the user could type a key as the answer.
    private func ask(for account: KeyAccount, _ snapshot: DaemonSnapshot) throws(ClientError) {
        for way in account.ways.reversed() {
            try keeper.requireAccess(snapshot, "set", account.name, way.name)
            while let outcome = try attempt(account, way) {
                try print(outcome.lines)
                guard let error = outcome.error else { return }
                context.console.report(FailureText.line(error))
                if outcome.isKept { return }
            }
        }
    }

    /// Sets a key, asks again after invalid input, and returns nil if the user skips the key.
    private func attempt(_ account: KeyAccount, _ way: KeyAccount.Way) throws(ClientError) -> KeyOutcome? {
        while true {
            do throws(ClientError) {
                return try keeper.set(account, way, mayBeSkipped: true)
            } catch  where error.code == .usage {
                context.console.report(FailureText.line(error))
            }
        }
    }
}
