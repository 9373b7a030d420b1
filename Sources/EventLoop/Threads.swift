import CPlatform
import Glibc
import Synchronization

/// An actor whose executor is an event loop.
///
/// The loop's timers, handlers and actions run on the executor of its actors, so they may use the actor's state at
/// once; the compiler can't see that. `onLoop` tells it, and checks it: elsewhere it traps.
package protocol LoopActor: Actor {
    /// The actor's executor; the actor keeps it alive.
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps its loop alive, so the reference outlives every use.
        unsafe loop.asUnownedSerialExecutor()
    }

    /// Uses the actor's state from synchronous code on its loop.
    package nonisolated func onLoop<Value: Sendable, Failure>(
        _ body: (isolated Self) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        loop.checkIsolated()
        return try withoutActuallyEscaping(body) { (body) throws(Failure) -> Value in
            // An isolated parameter is passed as any other. The types differ only in what the compiler checks, and that
            // the code runs on the actor's executor has just been checked.
            let unchecked = unsafe unsafeBitCast(body, to: ((Self) throws(Failure) -> Value).self)
            return try unchecked(self)
        }
    }

    /// Runs once, in a later turn of the loop.
    package nonisolated func performLater(_ body: @escaping @Sendable (isolated Self) -> Void) {
        loop.perform { self.onLoop(body) }
    }

    /// Runs once, at an instant or shortly after; keeps the actor alive until then.
    package nonisolated func schedule(
        at instant: Instant,
        _ body: @escaping @Sendable (isolated Self) -> Void
    ) -> Timer {
        loop.schedule(at: instant) { self.onLoop(body) }
    }
}

/// A loop on a dedicated thread, for work that may block, such as disk access.
package struct LoopThread: ~Copyable {
    package let loop: EventLoop
    private let thread: WorkerThread

    package init(named name: String) throws(SystemError) {
        let loop = try EventLoop(mayBeHeld: true)
        thread = try loop.startThread(named: name)
        self.loop = loop
    }

    /// Stops the loop after the turn under way, and waits for the thread.
    package consuming func stop() {
        loop.stop()
        thread.join()
    }
}

extension EventLoop {
    /// Runs this loop on a dedicated thread until `stop`.
    package func startThread(named name: String) throws(SystemError) -> WorkerThread {
        try WorkerThread(named: name) { self.run() }
    }
}

/// A thread for work that may block.
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

    /// Starts the thread; it inherits the calling thread's blocked signals and processors.
    package init(named name: String? = nil, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var handle = pthread_t()
        // The reference passed here is taken back exactly once: by the new thread, or below when there is none.
        let start = unsafe Unmanaged.passRetained(Start(name, body))
        let failure = unsafe pthread_create(
            &handle,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                // Taken back once, here.
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                // The name lives through the call, which copies it.
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

    /// Waits until the body has returned.
    package func join() {
        guard !isJoined.exchange(true, ordering: .relaxed) else { return }
        _ = pthread_join(handle, nil)
    }

    /// A thread that is not joined goes on, and frees its memory when it ends.
    deinit {
        if !isJoined.load(ordering: .relaxed) { pthread_detach(handle) }
    }
}
