import HTTP
import Sandbox
import TestSupport
import Testing

/// A daemon in a separate process, with a mock server in the test's process.
struct ProgramFixture {
    let directory: TemporaryDirectory
    let sandbox: SandboxServer
    let key: String
    let arguments: [String]
    let searchd: Searchd

    func connect() throws -> TestClient {
        try TestClient(directory.file("s"), secrets: [key])
    }

    func start() throws -> Searchd {
        try Searchd(arguments, in: directory)
    }

    func delay(_ milliseconds: Int) async {
        var rule = FaultRule(source: "*", name: "delay")
        rule.milliseconds = milliseconds
        await sandbox.change { [rule] in $0.faults = [rule] }
    }

    func hang() async {
        await sandbox.change { $0.faults = [FaultRule(source: "*", name: "hang")] }
    }

    func waitForRequests(_ count: Int) async throws {
        try await eventually("\(count) requests") { await sandbox.counts.requests() >= count }
    }
}

func withProgram(
    _ words: [String] = [],
    members: String = "",
    _ body: (ProgramFixture) async throws -> Void
) async throws {
    try await withSandbox { sandbox, key in
        let directory = TemporaryDirectory()
        directory.write(sandboxConfiguration(sandbox.base, key, "", members), to: "config.json5")
        let arguments =
            ["--socket", directory.file("s"), "--config", directory.file("config.json5"), "--ready-fd", "3"] + words
        let searchd = try Searchd(arguments, in: directory)
        guard try searchd.readyText() == "R" else { throw TestFailure(searchd.errors) }
        try await body(
            ProgramFixture(directory: directory, sandbox: sandbox, key: key, arguments: arguments, searchd: searchd)
        )
    }
}
