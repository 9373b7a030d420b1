import EventLoop
import Glibc

/// A thread of this program's own, which may block; `join` it once.
final class WorkerThread: Sendable {
    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    private let handle: pthread_t

    /// `body` runs when this returns, on the processor of the calling thread.
    init(_ body: @escaping @Sendable () -> Void) throws(BenchmarkError) {
        var handle = pthread_t()
        // The reference passed here is taken back exactly once: by the new thread, or below when there is none.
        let start = unsafe Unmanaged.passRetained(Start(body))
        let failure = unsafe pthread_create(
            &handle,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                // Taken back once, here.
                unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            start.toOpaque()
        )
        guard failure == 0 else {
            unsafe start.release()
            throw BenchmarkError(.system, "no thread can be started")
        }
        self.handle = handle
    }

    /// Waits until the body has returned.
    func join() {
        // The threads here have one owner each, which joins once.
        _ = pthread_join(handle, nil)
    }
}
