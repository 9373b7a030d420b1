package import EventLoop

/// Runs a body with a loop that a thread of its own serves; the thread has ended when this returns.
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

/// Runs a body on a thread of its own, where it may block without holding up other tests.
///
/// Never block elsewhere: the pool of threads has as few as the machine has processors.
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

/// Admits a few bodies at a time, in the order in which they came.
package actor Gate {
    /// For tests that start threads or processes: more of them at a time would only wait for each other.
    package static let heavy = Gate(places: 4)
    /// For tests that measure the whole process or the machine.
    package static let alone = Gate(places: 1)

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

    /// Runs a body in one of the places.
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
