import Catalogue
import EventLoop
import HTTP
import JSON
import Sandbox
import SearchModel
import TestSupport
import Testing

@testable import Daemon

/// A complete daemon in the test's process, on a real socket, with a mock server.
struct DaemonFixture {
    let directory: TemporaryDirectory
    let sandbox: SandboxServer
    let key: String
    let service: DaemonAssembly
    let clock: AdjustableClock
    let loop: EventLoop
    let bystander: Bystander

    var socket: String { directory.file("searchd.sock") }

    func connect() throws -> TestClient {
        try TestClient(socket, secrets: [key])
    }

    func advance(by duration: Duration) {
        clock.advance(by: duration)
        loop.perform {}
    }

    func requests(to source: String = "kakao.blog") async -> Int {
        await sandbox.counts.requests(to: source)
    }

    func waitForRequests(_ count: Int, to source: String = "kakao.blog") async throws {
        try await eventually("\(count) requests to \(source)") { await requests(to: source) >= count }
    }

    func fault(_ name: String, source: String = "kakao.blog") async {
        await sandbox.change { $0.faults = [FaultRule(source: source, name: name)] }
    }

    /// Stops the daemon's clock, so no search times out.
    func hang(source: String = "kakao.blog") async {
        clock.stop()
        await fault("hang", source: source)
    }

    func delay(_ milliseconds: Int, source: String = "kakao.blog") async {
        var rule = FaultRule(source: source, name: "delay")
        rule.milliseconds = milliseconds
        await sandbox.change { [rule] in $0.faults = [rule] }
    }

    /// Like the real server, the mock server repeats the refused key in its error.
    func refuseKey() async {
        await sandbox.change { $0.keys.kakao = ["ffffffffffffffffffffffffffffffff"] }
    }

    func endFaults() async {
        await sandbox.change { $0.faults = [] }
    }

    func configure(key: String? = nil, members: String = "", accounts: String = "") {
        directory.write(sandboxConfiguration(sandbox.base, key ?? self.key, accounts, members), to: "config.json5")
    }

    func stats(_ client: TestClient) throws -> JSONValue {
        try #require(try client.call("server/stats")["result"])
    }
}

extension ConnectionServer {
    func read<Value: Sendable>(_ body: @escaping @Sendable (ConnectionServer) -> Value) async -> Value {
        await Task(executorPreference: loop) { body(self) }.value
    }

    var unsentBytes: Int { get async { await read { $0.all.reduce(0) { $0 + $1.output.unsentBytes } } } }
    var heldBytes: Int { get async { await read { $0.usage.total.bytes } } }
}
