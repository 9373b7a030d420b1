package import EventLoop

/// Threads that run the jobs of all queues, one job of each queue in turn.
///
/// Jobs may block. Jobs of one queue never run at the same time, so a queue keeps at most one thread busy.
package final class UserThreads: Sendable {
    private struct State {
        var idle: [EventLoop]
        /// The queues that have jobs but no thread, in the order in which they get a thread.
        var waiting: [UserQueue] = []
    }

    private let state: Locked<State>

    package init(_ loops: [EventLoop]) {
        state = Locked(State(idle: loops))
    }

    /// Adds a queue that has jobs but no thread.
    fileprivate func run(_ queue: UserQueue) {
        let idle = state.withLock { state in
            state.waiting.append(queue)
            return state.idle.popLast()
        }
        if let idle { idle.perform { [self] in work(on: idle) } }
    }

    private func work(on loop: EventLoop) {
        while let queue = next(for: loop) {
            if queue.runNext(on: loop) { state.withLock { $0.waiting.append(queue) } }
        }
    }

    /// Returns the next queue, or nil if there is none and the thread becomes idle.
    private func next(for loop: EventLoop) -> UserQueue? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.idle.append(loop)
            return nil
        }
    }
}

/// An executor that runs jobs in order, one at a time, on any of the threads; each user's store has one.
package final class UserQueue: SerialExecutor {
    private enum Job {
        case task(UnownedJob)
        case action(@Sendable () -> Void)
    }

    private struct State: Sendable {
        /// The jobs; the first of them is running or waits for a thread.
        var jobs: [Job] = []
        var loop: EventLoop?
    }

    private let threads: UserThreads
    private let state = Locked(State())

    package init(on threads: UserThreads) {
        self.threads = threads
    }

    package func enqueue(_ job: consuming ExecutorJob) { add(.task(UnownedJob(job))) }

    /// Runs an action after the jobs that were added before.
    func perform(_ action: @escaping @Sendable () -> Void) { add(.action(action)) }

    private func add(_ job: Job) {
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            return state.jobs.count == 1
        }
        if isFirst { threads.run(self) }
    }

    fileprivate func runNext(on loop: EventLoop) -> Bool {
        let job = state.withLock { state in
            state.loop = loop
            return state.jobs[0]
        }
        switch job {
        // The job was enqueued on this executor and runs once. No other job of the executor runs at the same time.
        case .task(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        case .action(let action): action()
        }
        return state.withLock { state in
            state.loop = nil
            state.jobs.removeFirst()
            return !state.jobs.isEmpty
        }
    }

    package func checkIsolated() {
        let loop = state.withLock { $0.loop }
        precondition(loop?.isCurrent == true, "not in a job of this queue")
    }
}
