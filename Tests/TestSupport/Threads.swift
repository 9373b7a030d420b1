package import EventLoop

/// Runs a body with a loop on a new thread; the thread has ended when this function returns.
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

/// Runs a body on a new thread, where it may block without delaying other tests.
///
/// On the shared thread pool, tests must not block, because the pool has only one thread per processor.
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

/// Limits the number of tests that run a section at the same time; waiting tests enter in order.
package actor Gate {
    /// The limit for tests that start threads or processes.
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

/// A loop on a dedicated thread, for work that may block, such as disk access.
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
