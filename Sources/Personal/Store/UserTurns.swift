package import EventLoop

/// Runs jobs on a storage thread, one at a time, in turns by user: another user waits for at most one job.
package final class UserTurns: Sendable {
    package typealias Job = @Sendable () -> Void

    /// The jobs that wait; pure.
    ///
    /// Invariant: `users` has every user with a waiting job once, the next one first, except those who are paused.
    struct Queue: Sendable {
        private var jobs: [UInt32: [Job]] = [:]
        private var users: [UInt32] = []
        private var paused: Set<UInt32> = []
        /// Whether the loop takes jobs, until it finds none.
        private var isRunning = false

        var isEmpty: Bool { users.isEmpty }

        mutating func add(_ job: @escaping Job, for userID: UInt32, isFirst: Bool = false) {
            var waiting = jobs[userID].take() ?? []
            if waiting.isEmpty, !paused.contains(userID) { users.append(userID) }
            waiting.insert(job, at: isFirst ? 0 : waiting.count)
            jobs[userID] = waiting
        }

        /// Takes the job whose turn it is.
        mutating func next() -> Job? {
            guard !users.isEmpty else { return nil }
            let userID = users.removeFirst()
            guard var waiting = jobs[userID].take() else { return nil }
            let job = waiting.removeFirst()
            if !waiting.isEmpty {
                jobs[userID] = waiting
                users.append(userID)
            }
            return job
        }

        mutating func pause(_ userID: UInt32) {
            paused.insert(userID)
            users.removeAll { $0 == userID }
        }

        mutating func resume(_ userID: UInt32) {
            guard paused.remove(userID) != nil, jobs[userID] != nil else { return }
            users.append(userID)
        }

        /// Whether the loop must begin to take jobs.
        mutating func begin() -> Bool {
            guard !isRunning, !isEmpty else { return false }
            isRunning = true
            return true
        }

        /// Whether the loop goes on.
        mutating func goOn() -> Bool {
            isRunning = !isEmpty
            return isRunning
        }
    }

    /// A loop for storage alone; its thread may block.
    package let loop: EventLoop
    private let queue = Locked(Queue())

    package init(on loop: EventLoop) {
        self.loop = loop
    }

    /// Runs a job when it is the user's turn, after the user's other jobs; from any thread.
    package func add(for userID: UInt32, _ job: @escaping Job) {
        change { $0.add(job, for: userID) }
    }

    /// Runs a job in the user's next turn, before the user's other jobs.
    func addFirst(for userID: UInt32, _ job: @escaping Job) {
        change { $0.add(job, for: userID, isFirst: true) }
    }

    /// Holds the user's jobs until `resume`; called by one of them.
    func pause(_ userID: UInt32) {
        queue.withLock { $0.pause(userID) }
    }

    /// Runs the user's jobs again, this one first; from any thread.
    func resume(_ userID: UInt32, _ job: @escaping Job) {
        change { queue in
            queue.add(job, for: userID, isFirst: true)
            queue.resume(userID)
        }
    }

    private func change(_ body: (inout Queue) -> Void) {
        let begins = queue.withLock { queue in
            body(&queue)
            return queue.begin()
        }
        if begins { loop.perform { [self] in runNext() } }
    }

    private func runNext() {
        queue.withLock { $0.next() }?()
        if queue.withLock({ $0.goOn() }) { loop.perform { [self] in runNext() } }
    }
}
