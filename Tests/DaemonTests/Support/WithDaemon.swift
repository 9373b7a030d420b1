import Engine
import EventLoop
import Glibc
import HTTP
import Personal
import Sandbox
import TestSupport
import Testing
import Upstream

@testable import Daemon

/// What a test can change in the daemon of `withDaemon`.
struct DaemonSetup {
    /// More members of `accounts` in the configuration.
    var accounts = ""
    var hasAllKeys = false
    var members = ""
    var keepsPersonalData = false
    var personalDirectory: String?
    var mayHaveProblems = false
    var limits = SessionLimits()
    /// Receives all log lines.
    ///
    /// If nil, errors are written to standard error, and other lines are not logged.
    var logSink: RecordingSink?
    var fetcher: (any PageFetcher)?
    /// Set to false if the test ends the daemon or the connection of `bystander`.
    var checksBystander = true

    init(_ change: (inout DaemonSetup) -> Void = { _ in }) {
        change(&self)
    }
}

/// Runs a body with a daemon and its mock server.
///
/// The body has its own thread, so it may block.
func withDaemon(
    _ change: (inout DaemonSetup) -> Void = { _ in },
    _ body: (DaemonFixture) async throws -> Void
) async throws {
    let setup = DaemonSetup(change)
    try await withSandbox { sandbox, key in try await withDaemon(setup, sandbox, key, body) }
}

private func withDaemon(
    _ setup: DaemonSetup,
    _ sandbox: SandboxServer,
    _ key: String,
    _ body: (DaemonFixture) async throws -> Void
) async throws {
    let directory = TemporaryDirectory()
    let accounts = setup.accounts + (setup.hasAllKeys ? keyedAccounts(sandbox.base) : "")
    directory.write(sandboxConfiguration(sandbox.base, key, accounts, setup.members), to: "config.json5")
    let clock = AdjustableClock()
    try await withLoop("searchd", clock: clock) { loop in
        let storage = try LoopThread(named: "personal")
        let personal = setup.personalDirectory ?? (setup.keepsPersonalData ? directory.file("personal") : nil)
        let place = personal.map { PersonalPlace($0, on: [storage.loop]) }
        let service = try await start(setup, directory, place, on: loop)
        let outcome: Result<Void, any Error>
        do {
            let client = try TestClient(directory.file("searchd.sock"), secrets: [key])
            let bystander = try Bystander(client)
            try await body(
                DaemonFixture(
                    directory: directory,
                    sandbox: sandbox,
                    key: key,
                    service: service,
                    clock: clock,
                    loop: loop,
                    bystander: bystander
                )
            )
            if setup.checksBystander { try bystander.check() }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await service.drain(until: loop.now)
        storage.stop()
        try outcome.get()
    }
}

private func start(
    _ setup: DaemonSetup,
    _ directory: TemporaryDirectory,
    _ place: PersonalPlace?,
    on loop: EventLoop
) async throws -> DaemonAssembly {
    let surroundings = ProcessEnvironment(userID: getuid(), processID: 1, environment: ["HOME": directory.path])
    var options = CommandLineOptions()
    options.configuration = directory.file("config.json5")
    options.logLevel = setup.logSink == nil ? .error : .debug
    let loaded = try ConfigurationLoader(surroundings: surroundings, options: options).load()
    guard loaded.problems.isEmpty || setup.mayHaveProblems else { throw TestFailure("\(loaded.problems)") }
    let listener = try UnixSocket.listen(at: directory.file("searchd.sock"), backlog: 4096)
    let raw = listener.release()
    return try await withTaskExecutorPreference(loop) {
        try makeService(on: loop, loaded, surroundings, options, setup, place, listener: raw)
    }
}

private func makeService(
    on loop: EventLoop,
    _ loaded: ConfigurationLoader.Loaded,
    _ surroundings: ProcessEnvironment,
    _ options: CommandLineOptions,
    _ setup: DaemonSetup,
    _ place: PersonalPlace?,
    listener: Int32
) throws -> DaemonAssembly {
    let log = setup.logSink.map { Log(level: .debug, sink: $0) } ?? Log(level: .error)
    let service = DaemonAssembly(
        on: loop,
        loaded: loaded,
        surroundings: surroundings,
        log: log,
        personal: place,
        options: options,
        fetcher: setup.fetcher
    )
    service.server.usage.limits = setup.limits
    try service.server.listen(on: FileDescriptor(owning: listener))
    return service
}
