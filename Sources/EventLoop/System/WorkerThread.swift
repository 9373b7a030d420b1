import CPlatform
import Glibc
import Synchronization

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
