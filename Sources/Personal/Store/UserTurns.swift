package import EventLoop

/// Runs jobs on a storage thread, one at a time, in turns by user: however many jobs one user has, another waits for one
/// of them at most.
package final class UserTurns: Sendable {
    package typealias Job = @Sendable () -> Void

    /// The jobs that wait; pure.
    ///
    /// Invariant: `users` has every user with a waiting job once, the next one first.
    struct Queue: Sendable {
        private var jobs: [UInt32: [Job]] = [:]
        private var users: [UInt32] = []

        var isEmpty: Bool { users.isEmpty }

        mutating func add(_ job: @escaping Job, for userID: UInt32) {
            jobs[userID, default: []].append(job)
            if jobs[userID]?.count == 1 { users.append(userID) }
        }

        /// Takes the job whose turn it is.
        mutating func next() -> Job? {
            guard !users.isEmpty else { return nil }
            let userID = users.removeFirst()
            guard let job = jobs[userID]?.removeFirst() else { return nil }
            if jobs[userID]?.isEmpty == true { jobs[userID] = nil } else { users.append(userID) }
            return job
        }
    }

    /// A loop for storage alone; its thread may block.
    package let loop: EventLoop
    private let queue = Locked(Queue())

    package init(on loop: EventLoop) {
        self.loop = loop
    }

    /// Runs a job when it is the user's turn; from any thread.
    package func add(for userID: UInt32, _ job: @escaping Job) {
        let isFirst = queue.withLock { queue in
            defer { queue.add(job, for: userID) }
            return queue.isEmpty
        }
        if isFirst { loop.perform { [self] in runNext() } }
    }

    private func runNext() {
        let job = queue.withLock { $0.next() }
        job?()
        // A job that came to an empty queue meanwhile has scheduled itself.
        guard job != nil, queue.withLock({ !$0.isEmpty }) else { return }
        loop.perform { [self] in runNext() }
    }
}
