import CPlatform
import Glibc
import Synchronization

/// An actor whose executor is an event loop.
///
/// Its timers, handlers and actions must call `onLoop`.
package protocol LoopActor: Actor {
    /// The actor must hold a strong reference.
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps the loop alive.
        unsafe loop.asUnownedSerialExecutor()
    }

    package nonisolated func onLoop<Value: Sendable, Failure>(
        _ body: (isolated Self) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        loop.checkIsolated()
        return try withoutActuallyEscaping(body) { (body) throws(Failure) -> Value in
            // The types differ only in isolation. `checkIsolated` has checked the isolation.
            let unchecked = unsafe unsafeBitCast(body, to: ((Self) throws(Failure) -> Value).self)
            return try unchecked(self)
        }
    }

    package nonisolated func performLater(_ body: @escaping @Sendable (isolated Self) -> Void) {
        loop.perform { self.onLoop(body) }
    }

    package nonisolated func perform(_ body: @escaping @Sendable (isolated Self) -> Void) {
        if loop.isCurrent { onLoop(body) } else { performLater(body) }
    }

    package nonisolated func schedule(
        at instant: Instant,
        _ body: @escaping @Sendable (isolated Self) -> Void
    ) -> Timer {
        loop.schedule(at: instant) { self.onLoop(body) }
    }

    /// A cancellation calls `cancelled` once or twice, even if the continuation was already resumed.
    package func suspend<Value: Sendable>(
        _ begin: (CheckedContinuation<Value, Never>) -> Void,
        whenCancelled cancelled: @escaping @Sendable (isolated Self) -> Void
    ) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(continuation)
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

    package init(named name: String? = nil, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var handle = pthread_t()
        // The reference is released exactly once: by the new thread, or below if no thread starts.
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

    deinit {
        if !isJoined.load(ordering: .relaxed) { pthread_detach(handle) }
    }
}
