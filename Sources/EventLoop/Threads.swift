import CPlatform
import Glibc
import Synchronization

/// An actor whose executor is an event loop.
///
/// The compiler does not know that the loop's timers, handlers and actions run on this executor. They must call
/// `onLoop`, which traps on other threads.
package protocol LoopActor: Actor {
    /// The actor's executor. The actor holds a strong reference to it.
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps the loop alive, so the reference is always valid.
        unsafe loop.asUnownedSerialExecutor()
    }

    package nonisolated func onLoop<Value: Sendable, Failure>(
        _ body: (isolated Self) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        loop.checkIsolated()
        return try withoutActuallyEscaping(body) { (body) throws(Failure) -> Value in
            // The types differ only in isolation, which `checkIsolated` has checked and which does not change the
            // calling convention.
            let unchecked = unsafe unsafeBitCast(body, to: ((Self) throws(Failure) -> Value).self)
            return try unchecked(self)
        }
    }

    package nonisolated func performLater(_ body: @escaping @Sendable (isolated Self) -> Void) {
        loop.perform { self.onLoop(body) }
    }

    /// Runs the body at once if called on the loop, or else later on the loop.
    package nonisolated func perform(_ body: @escaping @Sendable (isolated Self) -> Void) {
        if loop.isCurrent { onLoop(body) } else { performLater(body) }
    }

    /// Runs the body at the instant or shortly after it, and keeps the actor alive until then.
    package nonisolated func schedule(
        at instant: Instant,
        _ body: @escaping @Sendable (isolated Self) -> Void
    ) -> Timer {
        loop.schedule(at: instant) { self.onLoop(body) }
    }

    /// Suspends the task until its continuation is resumed, and returns the value that was passed to the continuation.
    ///
    /// After a cancellation, `cancelled` is called once or twice, even if the continuation was already resumed.
    package func suspend<Value: Sendable>(
        _ begin: (CheckedContinuation<Value, Never>) -> Void,
        whenCancelled cancelled: @escaping @Sendable (isolated Self) -> Void
    ) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(continuation)
                // A task that is already cancelled does not wait for the next turn.
                if Task.isCancelled { cancelled(self) }
            }
        } onCancel: {
            performLater(cancelled)
        }
    }
}

extension EventLoop {
    package func startThread(named name: String) throws(SystemError) -> WorkerThread {
        try WorkerThread(named: name) { self.run() }
    }
}

package final class WorkerThread: Sendable {
    private final class Start: Sendable {
        let name: String?
        let body: @Sendable () -> Void

        init(_ name: String?, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private let handle: pthread_t
    private let isJoined = Atomic(false)

    /// Starts the thread, which inherits the caller's blocked signals and processor affinity.
    package init(named name: String? = nil, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var handle = pthread_t()
        // The reference is released exactly once: by the new thread, or below if the thread does not start.
        let start = unsafe Unmanaged.passRetained(Start(name, body))
        let failure = unsafe pthread_create(
            &handle,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                // Balances `passRetained` above.
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                // The system call copies the name.
                if let name = start.name { _ = unsafe name.withCString { unsafe platform_name_thread($0) } }
                start.body()
                return nil
            },
            start.toOpaque()
        )
        guard failure == 0 else {
            unsafe start.release()
            throw SystemError(call: "pthread_create", number: failure)
        }
        self.handle = handle
    }

    package func join() {
        guard !isJoined.exchange(true, ordering: .relaxed) else { return }
        _ = pthread_join(handle, nil)
    }

    /// Detaches a thread that was not joined, so its memory is freed when it ends.
    deinit {
        if !isJoined.load(ordering: .relaxed) { pthread_detach(handle) }
    }
}
