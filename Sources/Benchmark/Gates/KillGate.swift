import EventLoop
import JSON

/// However often the daemon is killed, no quota and no budget is exceeded, and nothing that a source has counted or charged
/// is missing in the ledger.
///
/// Of the paid sources, one says in its answers what they cost. The other has one price and charges no failed calls.
enum KillGate {
    /// The most calls that one kill may lose: a call under way is counted, and one client makes one call at a time.
    static let lostPerKillMax = 1
    private static let clients = 8
    private static let calls = "kakao"
    private static let accounts = [calls] + Sandbox.paidAccounts

    /// The calls of an account after a series of kills, or its money in millionths of a dollar.
    struct Ledger {
        let account: String
        let kills: Int
        let limit: Int
        /// What the source has counted, and what the daemon counts.
        var spent = 0
        var used = 0

        /// The fewest and the most that the daemon may count.
        private var bounds: ClosedRange<Int> {
            spent...(account == calls ? min(limit, spent + lostPerKillMax * kills) : limit)
        }

        var verdict: Verdict {
            let unit = account == calls ? Unit.count : .dollars
            let name = account == calls ? "calls" : "USD"
            return Verdict(
                "\(kills) kills while clients search \(account): never more than \(unit.text(limit)) \(name), and nothing "
                    + "is missing in the ledger",
                measured: "\(unit.text(spent)) \(name) at the source, \(unit.text(used)) in the ledger",
                passed: spent > 0 && spent <= limit && bounds.contains(used)
            )
        }
    }

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, say: (String) -> Void) throws -> [Verdict]
    {
        let half = max(1, options.kills / 2)
        try environment.sandbox.change(#"{"faults":[{"source":"brave.*","name":"unavailable","share":0.1}]}"#)
        defer { try? environment.sandbox.change(#"{"faults":[]}"#) }
        say("\(half) kills within large limits")
        let ample = try series(half, calls: 1_000_000_000, money: 1_000_000_000, environment)
        // Used up early, so that the remaining kills try to overspend it.
        say("\(half) kills around small limits")
        let tight = try series(
            half,
            calls: max(4, min(1_000, half / 2)),
            money: max(100_000, half * 5_000),
            environment
        )
        return (ample + tight).map(\.verdict)
    }

    /// Searches with all clients and kills the daemon, which keeps its state directory; returns the ledgers.
    private static func series(_ kills: Int, calls: Int, money: Int, _ environment: BenchmarkEnvironment) throws
        -> [Ledger]
    {
        let limit = "{limit:\"\(Unit.dollars.text(money)) USD\"}"
        let budgets = Sandbox.paidAccounts.map { ($0, "quotas:{\"\($0)-month\":\(limit),\"\($0)-day\":\(limit)}") }
        let server = try environment.searchd(
            accounts: accounts,
            limits: [Self.calls: "{perSecond:10000,concurrency:64,perDay:\(calls)}"],
            members: Dictionary(uniqueKeysWithValues: budgets)
        )
        let before = try accounts.map { try spent($0, environment) }
        for life in 0..<kills {
            try live(server, life)
            try server.restart()
        }
        // What is used is known for sure once a call has been charged.
        for id in accounts.indices { _ = try server.connect().answer(to: search(id, "마지막"), within: Gate.answerMax) }
        return try accounts.indices.map { index in
            let account = accounts[index]
            var ledger = Ledger(account: account, kills: kills, limit: account == Self.calls ? calls : money)
            ledger.spent = try spent(account, environment) - before[index]
            ledger.used = try used(account, server)
            return ledger
        }
    }

    /// Sends searches of all clients, one of which also searches the source without a price; waits for some answers.
    private static func live(_ server: Server, _ life: Int) throws {
        let talks = try (0..<clients).map { _ in try server.connect() }
        let deadline = Gate.deadline
        func sources(of client: Int) -> Range<Int> { (client == 0 ? 0 : 1)..<accounts.count }
        for (client, talk) in talks.enumerated() {
            for id in sources(of: client) { talk.send(search(id, "목숨 \(life) \(client)"), until: deadline) }
        }
        // In every second life, the first client is among the last to be waited for.
        let order = life.isMultiple(of: 2) ? Array(talks.indices) : talks.indices.reversed()
        for client in order.prefix(life % (clients + 1)) {
            guard sources(of: client).allSatisfy({ _ in talks[client].line(until: deadline) != nil }) else {
                throw server.process.failure("did not answer a search between two kills")
            }
        }
    }

    private static func search(_ id: Int, _ query: String) -> [UInt8] {
        let source = accounts[id] == calls ? "kakao.blog" : "\(accounts[id]).web"
        return Wire.request(id, "search", Wire.search(query, source, #","limit":1"#))
    }

    private static func spent(_ account: String, _ environment: BenchmarkEnvironment) throws -> Int {
        account == calls ? try environment.sandbox.calls() : try environment.sandbox.spent(at: account)
    }

    private static func used(_ account: String, _ server: Server) throws -> Int {
        let isMoney = account != calls
        let quotas = try server.quotas(of: isMoney ? "\(account).web" : "kakao.blog")
        let used = quotas.filter { ($0["unit"]?.string == "USD") == isMoney }.compactMap { $0["used"]?.double }
        guard used.count >= (isMoney ? 2 : 1), let most = used.max() else {
            throw server.process.failure("does not tell how much of its limits is used")
        }
        return Int((most * (isMoney ? 1_000_000 : 1)).rounded())
    }
}
