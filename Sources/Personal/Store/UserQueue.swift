package import EventLoop

/// Threads that run the jobs of all queues and may block; each queue uses at most one thread at a time.
package final class UserThreads: Sendable {
    private struct State {
        var idle: [EventLoop]
        var waiting: [UserQueue] = []
    }

    private let state: Locked<State>

    package init(_ loops: [EventLoop]) {
        state = Locked(State(idle: loops))
    }

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

    private func next(for loop: EventLoop) -> UserQueue? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.idle.append(loop)
            return nil
        }
    }
}

/// An executor that runs jobs in order, one at a time, on any of the threads.
package final class UserQueue: SerialExecutor {
    private enum Job {
        case task(UnownedJob)
        case action(@Sendable () -> Void)
    }

    private struct State: Sendable {
        /// The first job is running or waits for a thread.
        var jobs: [Job] = []
        var loop: EventLoop?
    }

    private let threads: UserThreads
    private let state = Locked(State())

    package init(on threads: UserThreads) {
        self.threads = threads
    }

    package func enqueue(_ job: consuming ExecutorJob) { add(.task(UnownedJob(job))) }

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
        // The job was added to this executor and runs once, while no other job of this executor runs.
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
