import SearchModel

/// The command `searchctl setup`, which shows what can be searched without keys, and asks for missing keys.
struct SetupCommand {
    static let command = Command(
        "setup",
        .setUp,
        arguments: "[ACCOUNT…]",
        wordCount: 0...Command.wordsMax,
        summary: "set up keys step by step, and search for the first time",
        details: [
            "Shows which sources can be searched, and which sources each key adds. For each missing key, or for each "
                + "ACCOUNT, prints where to get the key, asks for it without echo, and tests it. Then asks for a "
                + "first query. In a pipe, asks for nothing."
        ],
        options: [.system, .noTry],
        examples: ["searchctl setup", "searchctl setup kakao naver"],
        suggestions: { _ in [.keyAccounts] },
        run: run
    )

    private let keeper: KeyKeeper
    private let context: Context
    /// The position of the current account among the accounts to ask for, such as `1 of 3`.
    private var place = ""

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        var setup = SetupCommand(keeper: KeyKeeper(context), context: context)
        let snapshot = try setup.keeper.snapshot()
        var chosen: [KeyAccount] = []
        for name in context.arguments.words { chosen.append(try snapshot.keyAccount(name)) }
        let missing = chosen.isEmpty ? lacking(snapshot) : chosen
        let question = Question(context.console)
        if chosen.isEmpty || question == nil { try setup.print(report(snapshot)) }
        guard let question else { return .found }
        if !missing.isEmpty {
            try setup.print(["Enter skips a key. Ctrl-C ends the setup, and keeps the keys that are stored."])
        }
        for (index, account) in missing.enumerated() {
            setup.place = "\(index + 1) of \(missing.count)"
            try setup.ask(for: account, snapshot)
        }
        let query = LibraryEntry.line(try question.answer("Type a first search, such as 고양이 (Enter for none): "))
        guard !query.isEmpty else { return .found }
        return try SearchCommand.run(context.with(Arguments(words: [query])))
    }

    /// Returns the accounts without a key.
    ///
    /// Free accounts come first, then accounts with more sources for each secret.
    private static func lacking(_ snapshot: DaemonSnapshot) -> [KeyAccount] {
        func order(_ account: KeyAccount) -> (Int, Int) {
            (account.isPaid ? 1 : 0, -account.sources.count / max(1, account.ways[0].secrets.count))
        }
        return snapshot.accounts.filter(\.lacksKey).sorted { order($0) < order($1) }
    }

    static func report(_ snapshot: DaemonSnapshot) -> [String] {
        func names(_ accounts: [KeyAccount]) -> String { accounts.map(\.name).joined(separator: ", ") }
        let accounts = snapshot.accounts
        let set = accounts.filter(\.hasKey)
        let optional = accounts.filter { !$0.hasKey && !$0.lacksKey }
        let open = snapshot.enabled.grouped(by: \.account).map(\.key).joined(separator: ", ")
        let count = NumberText.count(snapshot.enabled.count, "source")
        var lines = ["\(count) of these accounts can be asked: \(open). “searchctl doctor” tests them."]
        if !set.isEmpty { lines.append("Keys are set for: \(names(set)).") }
        if !optional.isEmpty {
            lines.append("These accounts work without a key, but a key raises their limits: \(names(optional)).")
        }
        return lines
            + lacking(snapshot).map { account in
                let price = account.isPaid ? ", which costs money," : ""
                return "A key of \(account.name)\(price) adds \(NumberText.names(account.sources))."
            }
    }

    private func print(_ lines: [String]) throws(ClientError) {
        try context.report(json: [], or: lines.flatMap(context.layout.fitted))
    }

    /// Asks for the key directly.
    ///
    /// To a question such as “Set a key?”, the user might answer with the key. The terminal would show that answer.
    private func ask(for account: KeyAccount, _ snapshot: DaemonSnapshot) throws(ClientError) {
        for way in account.ways {
            try keeper.requireAccess(snapshot, "set", account.name, way.name)
            while let outcome = try attempt(account, way) {
                try print(outcome.lines)
                guard let error = outcome.error else { return }
                context.console.report(FailureText.line(error))
                if outcome.isKept { return }
            }
        }
    }

    private func attempt(_ account: KeyAccount, _ way: KeyAccount.Way) throws(ClientError) -> KeyOutcome? {
        while true {
            do throws(ClientError) {
                return try keeper.set(account, way, place: place)
            } catch  where error.code == .usage {
                context.console.report(FailureText.line(error))
            }
        }
    }
}
