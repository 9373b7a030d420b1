import EventLoop
import JSON

/// What the gates share: the real programs, an upstream that counts requests, and a directory for daemons.
final class HostileStage {
    let options: HostileOptions
    let factory: PeerFactory
    let sandbox: SandboxServer
    let directory: TemporaryDirectory
    private let progress: (String) -> Void
    private var daemons = 0

    init(_ options: HostileOptions, progress: @escaping (String) -> Void) throws(BenchmarkError) {
        self.options = options
        self.progress = progress
        directory = try TemporaryDirectory()
        var means = Options()
        means.peers = [.searchd]
        means.programs = options.programs
        factory = try PeerFactory(means, directory)
        guard let sandbox = factory.sandbox else {
            throw BenchmarkError(.program, "there is no sandbox for searchd to ask")
        }
        self.sandbox = sandbox
    }

    func say(_ line: String) { progress(line) }

    /// Starts a daemon with a new state.
    ///
    /// - Parameters:
    ///   - limits: The limits of each source.
    ///   - bases: Accounts that use another upstream than the sandbox.
    ///   - descriptors: How many it may have open; nil for as many as this program.
    /// - Returns: The daemon, which ends with its last owner.
    /// - Throws: When it does not start.
    func daemon(
        limits: [String: JSONValue] = [:],
        bases: [String: String] = [:],
        descriptors: Int? = nil
    ) throws(BenchmarkError) -> HostileDaemon {
        daemons += 1
        let own = try directory.directory("hostile-\(daemons)")
        for name in ["state", "cache"] { try directory.directory("hostile-\(daemons)/\(name)") }
        return try HostileDaemon(factory, configuration(limits, bases), directory: own, descriptors: descriptors)
    }

    private func configuration(_ limits: [String: JSONValue], _ bases: [String: String]) -> JSONValue {
        let accounts = (sandbox.accounts.configuration["accounts"]?.members ?? []).map { account in
            guard let base = bases[account.name] else { return account }
            let rest = (account.value.members ?? []).filter { $0.name != "baseURL" }
            return JSONMember(account.name, .object(rest + [JSONMember("baseURL", .string(base))]))
        }
        let sources = limits.sorted { $0.key < $1.key }.map { name, limits in
            JSONMember(name, .object([JSONMember("limits", limits)]))
        }
        return [
            "accounts": .object(accounts),
            "sources": .object(sources),
            "memory": ["cacheBytes": .string("\(HostileDaemon.cacheBytes)")],
        ]
    }
}
