import Catalogue
import EventLoop
import HTTP
import JSON
import Sandbox
import SearchModel
import TestSupport
import Testing

@testable import Daemon

/// A daemon in this process with all of its parts, on a real socket, before a sandbox that imitates its sources.
struct DaemonFixture {
    let directory: TemporaryDirectory
    let sandbox: SandboxServer
    /// The key of this daemon's Kakao account; nobody else has it.
    let key: String
    let service: DaemonAssembly
    let clock: AdjustableClock
    let loop: EventLoop
    /// Another client, which must notice nothing of what a test does.
    let bystander: Bystander

    var socket: String { directory.file("searchd.sock") }

    func connect() throws -> TestClient {
        try TestClient(socket, secrets: [key])
    }

    /// Sets the daemon's clock ahead; what has become due happens at once.
    func advance(by duration: Duration) {
        clock.advance(by: duration)
        loop.perform {}
    }

    /// How many requests the sandbox has got for a source.
    func requests(to source: String = "kakao.blog") async -> Int {
        await sandbox.counts.requests(to: source)
    }

    /// Waits until the sandbox has got so many requests for a source.
    func waitForRequests(_ count: Int, to source: String = "kakao.blog") async throws {
        try await eventually("\(count) requests to \(source)") { await requests(to: source) >= count }
    }

    /// Lets the requests to a source fail in the sandbox's way; earlier faults end.
    func fault(_ name: String, source: String = "kakao.blog") async {
        await sandbox.change { $0.faults = [FaultRule(source: source, name: name)] }
    }

    /// Lets a source never answer, and stops the daemon's clock: no search times out, however slow the machine.
    func hang(source: String = "kakao.blog") async {
        clock.stop()
        await fault("hang", source: source)
    }

    /// Lets the answers of a source be late; earlier faults end.
    func delay(_ milliseconds: Int, source: String = "kakao.blog") async {
        var rule = FaultRule(source: source, name: "delay")
        rule.milliseconds = milliseconds
        await sandbox.change { [rule] in $0.faults = [rule] }
    }

    /// Lets the sandbox refuse this daemon's key, and repeat it in doing so, as the real one does.
    func refuseKey() async {
        await sandbox.change { $0.keys.kakao = ["ffffffffffffffffffffffffffffffff"] }
    }

    func endFaults() async {
        await sandbox.change { $0.faults = [] }
    }

    /// Writes the configuration anew; nothing is reloaded yet.
    func configure(key: String? = nil, members: String = "", accounts: String = "") {
        directory.write(sandboxConfiguration(sandbox.base, key ?? self.key, accounts, members), to: "config.json5")
    }

    /// What `server/stats` says.
    func stats(_ client: TestClient) throws -> JSONValue {
        try #require(try client.call("server/stats")["result"])
    }
}

/// What the sessions hold of which kind, read on the loop.
extension ConnectionServer {
    func read<Value: Sendable>(_ body: @escaping @Sendable (ConnectionServer) -> Value) async -> Value {
        await Task(executorPreference: loop) { body(self) }.value
    }

    var unsentBytes: Int { get async { await read { $0.all.reduce(0) { $0 + $1.output.unsentBytes } } } }
    var heldBytes: Int { get async { await read { $0.usage.total.bytes } } }
}
