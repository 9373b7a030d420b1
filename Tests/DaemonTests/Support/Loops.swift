@testable import EventLoop

/// Runs a body with a loop that is served by a thread of its own; the thread has ended when this returns.
func withLoop<Result>(
    _ name: String,
    clock: any LoopClock = MonotonicClock(),
    _ body: (EventLoop) async throws -> Result
) async throws -> Result {
    let loop = EventLoop(clock: clock, poller: try EpollPoller())
    let thread = try loop.startThread(named: name)
    let outcome: Swift.Result<Result, any Error>
    do {
        outcome = .success(try await body(loop))
    } catch {
        outcome = .failure(error)
    }
    loop.stop()
    thread.join()
    return try outcome.get()
}

/// Runs a body on a thread of its own, where it may block without holding up other tests.
func onOwnThread<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await withLoop("test") { loop in
        try await withTaskExecutorPreference(loop) { try await body() }
    }
}
