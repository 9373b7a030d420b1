package import EventLoop

/// Runs the body with an event loop that has its own thread, and ends the thread afterwards.
package func withLoop<Result>(
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

/// Runs a body on its own thread, because the body may block.
///
/// In the shared thread pool, the body would delay other tests.
package func onOwnThread<Result>(_ body: () async throws -> Result) async throws -> Result {
    let thread = try LoopThread(named: "test")
    let outcome: Swift.Result<Result, any Error>
    do {
        outcome = .success(try await withTaskExecutorPreference(thread.loop) { try await body() })
    } catch {
        outcome = .failure(error)
    }
    thread.stop()
    return try outcome.get()
}

/// Limits how many tests run the body of `pass` at the same time.
package actor Gate {
    /// For tests that start threads or processes.
    package static let heavy = Gate(places: 4)

    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(places: Int) {
        self.places = places
    }

    private func enter() async {
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
    }

    package nonisolated func pass<Result>(_ body: () async throws -> Result) async throws -> Result {
        await enter()
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await body())
        } catch {
            outcome = .failure(error)
        }
        await leave()
        return try outcome.get()
    }
}

/// A loop on its own thread, for work that may block.
package struct LoopThread: ~Copyable {
    package let loop: EventLoop
    private let thread: WorkerThread

    package init(named name: String) throws(SystemError) {
        let loop = try EventLoop(allowsLongSteps: true)
        thread = try loop.startThread(named: name)
        self.loop = loop
    }

    package consuming func stop() {
        loop.stop()
        thread.join()
    }
}
