import EventLoop
import JSON

/// Kills the daemon while clients search paid sources.
///
/// Checks that no budget is exceeded and no charge is lost.
enum PriceGate {
    static let accounts = ["exa", "brave"]
    private static let clients = 8

    /// All amounts are in millionths of a dollar.
    struct Spending {
        let account: String
        let limit: Int
        var spent = 0
        var used = 0
    }

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, say: (String) -> Void) throws -> [Verdict]
    {
        let half = max(1, options.kills / 2)
        try environment.sandbox.change(#"{"faults":[{"source":"brave.*","name":"unavailable","share":0.1}]}"#)
        defer { try? environment.sandbox.change(#"{"faults":[]}"#) }
        say("\(half) kills within large budgets")
        let ample = try series(half, limit: 1_000_000_000, environment)
        let limit = max(100_000, half * 5_000)
        say("\(half) kills while budgets of \(money(limit)) are used up")
        let tight = try series(half, limit: limit, environment)
        return ample.map { verdict($0, half) } + tight.map { verdict($0, half) }
    }

    private static func series(_ kills: Int, limit: Int, _ environment: BenchmarkEnvironment) throws -> [Spending] {
        let text = "limit:\"\(money(limit))\""
        let budgets = accounts.map { ($0, "quotas:{\"\($0)-month\":{\(text)},\"\($0)-day\":{\(text)}},") }
        let server = try environment.searchd(accounts: accounts, members: Dictionary(uniqueKeysWithValues: budgets))
        let before = try environment.sandbox.spent()
        for life in 0..<kills {
            let talks = try (0..<clients).map { _ in try server.connect() }
            let deadline = Gate.deadline
            for (client, talk) in talks.enumerated() {
                for id in accounts.indices { talk.send(search(id, "목숨 \(life) \(client)"), until: deadline) }
            }
            for talk in talks.prefix(life % (clients + 1)) {
                guard accounts.indices.allSatisfy({ _ in talk.line(until: deadline) != nil }) else {
                    throw server.process.failure("did not answer a search between two kills")
                }
            }
            server.kill()
            try server.start()
        }
        for id in accounts.indices { _ = try server.connect().answer(to: search(id, "마지막"), within: Gate.answerMax) }
        let after = try environment.sandbox.spent()
        return try accounts.map { account in
            let spent = (after[account] ?? 0) - (before[account] ?? 0)
            return Spending(account: account, limit: limit, spent: spent, used: try used(account, server))
        }
    }

    private static func search(_ id: Int, _ query: String) -> [UInt8] {
        Wire.request(id, "search", Wire.search(query, "\(accounts[id]).web", #","limit":1"#))
    }

    private static func used(_ account: String, _ server: Server) throws -> Int {
        let sources = try server.result("source/list")["sources"]?.elements ?? []
        let quotas = sources.first { $0["source"]?.string == "\(account).web" }?["quota"]?.elements ?? []
        let used = quotas.filter { $0["unit"]?.string == "USD" }.compactMap { $0["used"]?.double }
        guard used.count == 2, let most = used.max() else {
            throw server.process.failure("does not report how much of its budgets is used")
        }
        return Int((most * 1_000_000).rounded())
    }

    static func money(_ millionths: Int) -> String {
        let decimals = String(1_000_000 + millionths % 1_000_000).dropFirst()
        return "\(millionths / 1_000_000).\(decimals) USD"
    }

    static func verdict(_ spending: Spending, _ kills: Int) -> Verdict {
        let (spent, used, limit) = (spending.spent, spending.used, spending.limit)
        return Verdict(
            "despite \(kills) kills, the searches of \(clients) clients in \(spending.account).web cost at most "
                + "\(money(limit)), and the daemon has recorded every charge",
            measured: "\(money(spent)) charged by the source, \(money(used)) used",
            passed: spent > 0 && spent <= used && used <= limit
        )
    }
}
