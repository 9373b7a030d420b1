import CPlatform
import Glibc
import Synchronization

/// An event loop: one thread runs jobs, actions, timers and descriptor handlers one by one.
///
/// `@unchecked Sendable`: `inbox`, `thread` and `stopRequested` are locked or atomic.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    private enum Entry {
        case job(UnownedJob)
        case action(@Sendable () -> Void)
    }

    private struct Inbox: Sendable {
        var entries: [Entry] = []
        var loopMayWait = false
    }

    /// The longest time for jobs and timers in one iteration of the loop, before the descriptors are polled.
    private static let roundsNanosecondsMax: Int64 = 100_000
    private static let roundsMax = 16
    /// The longest time for one job, timer or handler.
    package static let stepNanosecondsMax: Int64 = 10_000_000

    private let clock: any LoopClock
    private let poller: any Poller
    private let inbox = Locked(Inbox())
    private let thread = Atomic<Int32>(0)
    private let stopRequested = Atomic<Bool>(false)

    // Used only on the loop's thread.
    private var jobs: [Entry] = []
    private var spareStorage: [Entry] = []
    private var timers = TimerHeap<@Sendable () -> Void>()
    private var watches = WatchTable()
    private var wokenAt: Instant
    private var recordedFigures = LoopFigures()
    #if DEBUG
        private var stepCheck: StepCheck?
    #endif

    /// `allowsLongSteps` must be true if jobs may block, for example on the disk.
    package convenience init(allowsLongSteps: Bool = false) throws(SystemError) {
        self.init(clock: MonotonicClock(), poller: try EpollPoller())
        #if DEBUG
            if allowsLongSteps { stepCheck = nil }
        #endif
    }

    package init(clock: any LoopClock, poller: any Poller) {
        self.clock = clock
        self.poller = poller
        wokenAt = clock.now()
        #if DEBUG
            stepCheck = StepCheck()
        #endif
    }

    package var now: Instant { clock.now() }

    package var isCurrent: Bool {
        thread.load(ordering: .relaxed) == Self.currentThread
    }

    /// Does not use `pthread_self`, because the compiler may keep the result across an `await` that changes the thread.
    private static var currentThread: Int32 { platform_thread() }

    // MARK: Running

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

    /// Makes `run` return after the current iteration.
    ///
    /// Any thread may call this method.
    package func stop() {
        stopRequested.store(true, ordering: .releasing)
        poller.wake()
    }

    private func turn() {
        runRounds()
        let hasWork = !jobs.isEmpty || !prepareToWait() || stopRequested.load(ordering: .acquiring)
        let waitBegan = now
        recordedFigures.recordTurn(nanoseconds: wokenAt.nanoseconds(to: waitBegan))
        let wait = LoopWait(hasWork: hasWork, nextDeadline: timers.nextDeadline, now: waitBegan)
        var woken: Instant?
        poller.wait(wait) { token, readiness in
            if woken == nil {
                woken = now
                beginSteps()
            }
            let handler = watches.handler(for: token)
            handler?(readiness)
            endStep()
        }
        wokenAt = woken ?? now
        drainInbox()
    }

    /// Runs jobs and timers several times between two polls, because most jobs are short steps of one task.
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
        // Two arrays alternate, so a busy loop does not allocate.
        var running = jobs
        jobs = spareStorage
        spareStorage = []
        beginSteps()
        for entry in running {
            switch entry {
            case .job(let job):
                // The job was enqueued on this executor and runs once, on the executor's thread.
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
            beginSteps()
            action()
            endStep()
        }
    }

    private func beginSteps() {
        #if DEBUG
            stepCheck?.begin()
        #endif
    }

    private func endStep() {
        #if DEBUG
            stepCheck?.end()
        #endif
    }

    private func prepareToWait() -> Bool {
        inbox.withLock { inbox in
            inbox.loopMayWait = inbox.entries.isEmpty
            return inbox.loopMayWait
        }
    }

    private func drainInbox() {
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

    package var figures: LoopFigures {
        checkIsolated()
        return recordedFigures
    }

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

    /// The handler is not called again, even for events that were already received.
    package func unwatch(_ watch: Watch) {
        checkIsolated()
        if watches.remove(watch) { poller.remove(watch.descriptor) }
    }

    package func schedule(at deadline: Instant, _ action: @escaping @Sendable () -> Void) -> Timer {
        checkIsolated()
        return Timer(id: timers.insert(deadline: deadline, action: action))
    }

    package func cancel(_ timer: Timer) {
        checkIsolated()
        timers.remove(timer.id)
    }
}

extension EventLoop {
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

/// The state of one `sleep`, which ends once: by its timer or by a cancellation.
private final class Sleeper: Sendable {
    private enum State {
        case new
        case sleeping(CheckedContinuation<Bool, Never>)
        case timed(CheckedContinuation<Bool, Never>, cancelTimer: @Sendable () -> Void)
        case ended
    }

    private let state = Locked(State.new)

    func begin(_ continuation: CheckedContinuation<Bool, Never>) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .sleeping(continuation)
            return true
        }
        if !isNew { continuation.resume(returning: false) }
        return isNew
    }

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

/// Reports signals on a loop.
///
/// Create it before other threads start, or the kernel may give the signals to them.
package final class SignalWatch: Sendable {
    private let descriptor: FileDescriptor

    package init(
        _ signals: [Int32],
        on loop: EventLoop,
        handler: @escaping @Sendable (Int32) -> Void
    ) throws(SystemError) {
        let raw = unsafe signals.withUnsafeBufferPointer { buffer in
            // The call reads `count` numbers from the array, which is valid during the call.
            unsafe platform_signal_descriptor(buffer.baseAddress, Int32(buffer.count))
        }
        guard raw >= 0 else { throw SystemError.last("signalfd") }
        descriptor = FileDescriptor(owning: raw)
        _ = try loop.watch(raw, .readable) { _ in
            while case let signal = platform_next_signal(raw), signal > 0 { handler(signal) }
        }
    }
}

package struct Watch: Hashable, Sendable {
    package let descriptor: Int32
    let token: UInt64
}

/// The handlers of watched descriptors.
///
/// The token of a removed watch finds no handler, because its generation is old.
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
