import Glibc

@testable import Client

/// Threads of their own for what blocks: a pool would run out of them while tests wait for each other.
enum Background {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    static func run(_ body: @escaping @Sendable () -> Void) throws {
        var thread = pthread_t()
        // The reference passed here is taken back exactly once: by the new thread, or below when there is none.
        let work = unsafe Unmanaged.passRetained(Work(body))
        let failure = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                // Taken back once, here.
                if let argument = unsafe argument {
                    unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                }
                return nil
            },
            work.toOpaque()
        )
        guard failure == 0 else {
            unsafe work.release()
            throw ClientError(.system, "no thread: errno \(failure)")
        }
        pthread_detach(thread)
    }
}
