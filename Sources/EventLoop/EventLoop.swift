import CPlatform
import Glibc
import Synchronization

/// One thread that runs jobs, timers and descriptor handlers, one at a time: the executor of the actors that name it.
///
/// Everything marked "on the loop" must be called on its thread, from a job, a timer or a handler; elsewhere it traps.
/// A turn runs the jobs that were there when it began, then due timers; for a moment, if that begot jobs, the same
/// again; then ready descriptors. So neither jobs that beget jobs nor busy descriptors starve the others.
///
/// - Note: `@unchecked Sendable`: `inbox`, `thread` and `stopRequested` are locked or atomic; the other variables are
///   touched only on the loop's thread, which every entry asserts.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    private enum Entry {
        case job(UnownedJob)
        case action(@Sendable () -> Void)
    }

    /// What other threads hand over.
    private struct Inbox: Sendable {
        // UnownedJob is Sendable; the actions are too.
        var entries: [Entry] = []
        /// True from before the loop waits until it has looked again: only then must the poller be woken.
        var loopMayWait = false
    }

    /// When a turn has lasted so long, or its jobs have begotten jobs so often, those have to wait for the next.
    private static let roundsNanosecondsMax: Int64 = 100_000
    private static let roundsMax = 16
    /// How long one job, timer or handler may hold the loop: longer work goes on in a later turn.
    package static let stepNanosecondsMax: Int64 = 10_000_000

    private let clock: any LoopClock
    private let poller: any Poller
    private let inbox = Locked(Inbox())
    private let thread = Atomic<Int32>(0)
    private let stopRequested = Atomic<Bool>(false)

    // What only the loop's thread touches.
    private var jobs: [Entry] = []
    private var spareStorage: [Entry] = []
    private var timers = TimerHeap<@Sendable () -> Void>()
    private var watches = WatchTable()
    /// When the last wait ended.
    private var wokenAt: Instant
    private var ownFigures = LoopFigures()
    /// When the step under way began.
    private var stepBegan: Instant
    #if DEBUG
        /// Nil for a loop whose steps may be long.
        private var stepCheck: StepCheck?
    #endif

    /// A loop on the kernel's epoll and monotonic clock.
    ///
    /// - Parameter mayBeHeld: Whether its jobs may be long, since nothing waits there that has to be quick.
    /// - Throws: When the process may have no more descriptors.
    package convenience init(mayBeHeld: Bool = false) throws(SystemError) {
        self.init(clock: MonotonicClock(), poller: try EpollPoller())
        #if DEBUG
            if mayBeHeld { stepCheck = nil }
        #endif
    }

    package init(clock: any LoopClock, poller: any Poller) {
        self.clock = clock
        self.poller = poller
        wokenAt = clock.now()
        stepBegan = wokenAt
        #if DEBUG
            stepCheck = StepCheck()
        #endif
    }

    package var now: Instant { clock.now() }

    /// Whether the calling thread is the one inside `run`.
    package var isCurrent: Bool {
        thread.load(ordering: .relaxed) == Self.currentThread
    }

    /// The kernel's number of the calling thread; never 0.
    ///
    /// The compiler may keep the result of `pthread_self` across an `await`, but not this one.
    private static var currentThread: Int32 { platform_thread() }

    // MARK: Running

    /// Serves this loop on the calling thread until `stop`.
    ///
    /// Jobs enqueued after it returned are kept and run by the next `run`.
    package func run() {
        let (free, _) = thread.compareExchange(
            expected: 0,
            desired: Self.currentThread,
            ordering: .acquiringAndReleasing
        )
        precondition(free, "a loop runs on one thread at a time")
        defer { thread.store(0, ordering: .releasing) }
        wokenAt = now
        while !stopRequested.exchange(false, ordering: .acquiringAndReleasing) {
            turn()
        }
    }

    /// Makes `run` return after the turn under way, from any thread.
    package func stop() {
        stopRequested.store(true, ordering: .releasing)
        poller.wake()
    }

    private func turn() {
        runRounds()
        let hasWork = !jobs.isEmpty || !prepareToWait() || stopRequested.load(ordering: .acquiring)
        let waitBegan = now
        ownFigures.turned(busyNanoseconds: wokenAt.nanoseconds(to: waitBegan))
        let wait = LoopWait(hasWork: hasWork, nextDeadline: timers.nextDeadline, now: waitBegan)
        var woken: Instant?
        poller.wait(wait) { token, readiness in
            if woken == nil {
                woken = now
                beginSteps(at: woken)
            }
            // Found first, called after: the handler may change the table.
            let handler = watches.handler(for: token)
            handler?(readiness)
            endStep()
        }
        wokenAt = woken ?? now
        takeInbox()
    }

    /// Most jobs are short steps of one piece of work: looking at the descriptors between them would cost more than
    /// they do.
    private func runRounds() {
        for _ in 0..<Self.roundsMax {
            runJobs()
            if jobs.isEmpty, timers.isEmpty { return }
            let now = now
            fireTimers(at: now)
            guard !jobs.isEmpty, wokenAt.nanoseconds(to: now) < Self.roundsNanosecondsMax else { return }
        }
    }

    private func runJobs() {
        guard !jobs.isEmpty else { return }
        // The two arrays take turns, so that a busy loop does not allocate for its queue.
        var running = jobs
        jobs = spareStorage
        spareStorage = []
        beginSteps(at: now)
        for entry in running {
            switch entry {
            case .job(let job):
                // The job was handed to this executor and is run once; we are on its thread.
                unsafe job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(),
                    taskExecutor: asUnownedTaskExecutor()
                )
            case .action(let action): action()
            }
            endStep()
        }
        running.removeAll(keepingCapacity: true)
        spareStorage = running
    }

    private func fireTimers(at now: Instant) {
        while let action = timers.popDue(at: now) {
            beginSteps(at: self.now)
            action()
            endStep()
        }
    }

    private func beginSteps(at now: Instant?) {
        stepBegan = now ?? stepBegan
        #if DEBUG
            stepCheck?.begin()
        #endif
    }

    /// A job, timer or handler is done; another may begin at once.
    private func endStep() {
        let now = now
        ownFigures.stepped(nanoseconds: stepBegan.nanoseconds(to: now))
        stepBegan = now
        #if DEBUG
            stepCheck?.end()
        #endif
    }

    /// Announces that the loop is about to wait; false when the inbox has something, and then it must not.
    private func prepareToWait() -> Bool {
        inbox.withLock { inbox in
            inbox.loopMayWait = inbox.entries.isEmpty
            return inbox.loopMayWait
        }
    }

    private func takeInbox() {
        let entries = inbox.withLock { inbox in
            inbox.loopMayWait = false
            guard !inbox.entries.isEmpty else { return [Entry]() }
            defer { inbox.entries = [] }
            return inbox.entries
        }
        jobs.append(contentsOf: entries)
    }

    // MARK: Work

    package func enqueue(_ job: consuming ExecutorJob) {
        submit(.job(UnownedJob(job)))
    }

    /// Runs an action on the loop in a later turn, from any thread.
    package func perform(_ action: @escaping @Sendable () -> Void) {
        submit(.action(action))
    }

    private func submit(_ entry: Entry) {
        if isCurrent {
            jobs.append(entry)
            return
        }
        let mustWake = inbox.withLock { inbox in
            inbox.entries.append(entry)
            defer { inbox.loopMayWait = false }
            return inbox.loopMayWait
        }
        if mustWake { poller.wake() }
    }

    package func checkIsolated() {
        precondition(isCurrent, "not on the loop's thread")
    }

    package func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    // MARK: On the loop

    /// How busy the loop has been since it was made.
    package var figures: LoopFigures {
        checkIsolated()
        return ownFigures
    }

    /// Calls the handler on the loop whenever the descriptor is ready, until `unwatch`.
    package func watch(
        _ descriptor: Int32,
        _ interest: Interest,
        handler: @escaping @Sendable (Readiness) -> Void
    ) throws(SystemError) -> Watch {
        checkIsolated()
        let watch = watches.insert(descriptor, handler)
        do throws(SystemError) {
            try poller.add(descriptor, interest, token: watch.token)
        } catch {
            watches.remove(watch)
            throw error
        }
        return watch
    }

    package func change(_ watch: Watch, to interest: Interest) throws(SystemError) {
        checkIsolated()
        try poller.change(watch.descriptor, interest, token: watch.token)
    }

    /// Ends a watch; the descriptor must still be open.
    ///
    /// Its handler is not called again, not even for this turn's events.
    package func unwatch(_ watch: Watch) {
        checkIsolated()
        if watches.remove(watch) { poller.remove(watch.descriptor) }
    }

    /// Runs an action once the deadline has come.
    package func schedule(at deadline: Instant, _ action: @escaping @Sendable () -> Void) -> Timer {
        checkIsolated()
        return Timer(id: timers.insert(deadline: deadline, action: action))
    }

    /// Takes a timer back; nothing when it has fired.
    package func cancel(_ timer: Timer) {
        checkIsolated()
        timers.remove(timer.id)
    }
}

extension EventLoop {
    /// Suspends until the deadline has come; throws as soon as the task is cancelled.
    package func sleep(until deadline: Instant) async throws(CancellationError) {
        let sleeper = Sleeper()
        let finished = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard sleeper.begin(continuation) else { return }
                perform {
                    let timer = self.schedule(at: deadline) { sleeper.end(finished: true) }
                    sleeper.onCancel { self.perform { self.cancel(timer) } }
                }
            }
        } onCancel: {
            sleeper.end(finished: false)
        }
        guard finished else { throw CancellationError() }
    }
}

/// One sleep: resumed once, by its timer or by its cancellation, whichever comes first.
private final class Sleeper: Sendable {
    private enum State {
        case new
        case sleeping(CheckedContinuation<Bool, Never>)
        case timed(CheckedContinuation<Bool, Never>, cancelTimer: @Sendable () -> Void)
        case ended
    }

    private let state = Locked(State.new)

    /// False when the sleep was cancelled before it began; the continuation is then resumed already.
    func begin(_ continuation: CheckedContinuation<Bool, Never>) -> Bool {
        let mayBegin = state.withLock { state in
            guard case .new = state else { return false }
            state = .sleeping(continuation)
            return true
        }
        if !mayBegin { continuation.resume(returning: false) }
        return mayBegin
    }

    /// Remembers how to take the timer back; at once when the sleep has been cancelled meanwhile.
    func onCancel(_ cancelTimer: @escaping @Sendable () -> Void) {
        let tooLate = state.withLock { state in
            guard case .sleeping(let continuation) = state else { return true }
            state = .timed(continuation, cancelTimer: cancelTimer)
            return false
        }
        if tooLate { cancelTimer() }
    }

    func end(finished: Bool) {
        let previous = state.withLock { state in
            defer { state = .ended }
            return state
        }
        switch previous {
        case .new, .ended: return
        case .sleeping(let continuation): continuation.resume(returning: finished)
        case .timed(let continuation, let cancelTimer):
            if !finished { cancelTimer() }
            continuation.resume(returning: finished)
        }
    }
}

/// Signals as events of a loop, through a signalfd.
///
/// Make it on the loop, before any thread is started that could take the signals instead.
package final class SignalWatch: Sendable {
    private let descriptor: FileDescriptor

    /// Blocks the signals in this thread and those it starts, and calls the handler on the loop for each that comes.
    package init(
        _ signals: [Int32],
        on loop: EventLoop,
        handler: @escaping @Sendable (Int32) -> Void
    ) throws(SystemError) {
        let raw = unsafe signals.withUnsafeBufferPointer { buffer in
            // Reads `count` numbers from the array, which lives through the call.
            unsafe platform_signal_descriptor(buffer.baseAddress, Int32(buffer.count))
        }
        guard raw >= 0 else { throw SystemError.last("signalfd") }
        descriptor = FileDescriptor(owning: raw)
        _ = try loop.watch(raw, .readable) { _ in
            while case let signal = platform_next_signal(raw), signal > 0 { handler(signal) }
        }
    }
}

/// A descriptor watched by a loop.
package struct Watch: Hashable, Sendable {
    package let descriptor: Int32
    /// The slot in the low half, its generation in the high half.
    let token: UInt64
}

/// The handlers of watched descriptors, found by the token that the poller reports.
///
/// A slot is used again with the next generation, so an event of a watch that has ended meets no handler, even when
/// the descriptor's number was given out anew within the same turn.
struct WatchTable {
    typealias Handler = @Sendable (Readiness) -> Void

    private struct Slot {
        var generation: UInt32
        var handler: Handler?
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    var count: Int { slots.count - free.count }

    mutating func insert(_ descriptor: Int32, _ handler: @escaping Handler) -> Watch {
        let index: UInt32
        if let reused = free.popLast() {
            index = reused
            slots[Int(index)].handler = handler
        } else {
            index = UInt32(slots.count)
            slots.append(Slot(generation: 0, handler: handler))
        }
        return Watch(descriptor: descriptor, token: UInt64(slots[Int(index)].generation) << 32 | UInt64(index))
    }

    /// False when the watch had ended before.
    @discardableResult
    mutating func remove(_ watch: Watch) -> Bool {
        guard handler(for: watch.token) != nil else { return false }
        let index = Int(UInt32(truncatingIfNeeded: watch.token))
        slots[index].handler = nil
        slots[index].generation &+= 1
        free.append(UInt32(index))
        return true
    }

    func handler(for token: UInt64) -> Handler? {
        let index = Int(UInt32(truncatingIfNeeded: token))
        guard index < slots.count, slots[index].generation == UInt32(token >> 32) else { return nil }
        return slots[index].handler
    }
}
