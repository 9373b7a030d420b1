import CPlatform
import Glibc
import Synchronization

extension EventLoop {
    package func startThread(named name: String) throws(SystemError) -> WorkerThread {
        try WorkerThread(named: name) { self.run() }
    }
}

/// A named thread that runs one closure.
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
