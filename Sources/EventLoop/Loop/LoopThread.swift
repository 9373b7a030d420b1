import CPlatform
import Glibc

/// The thread that serves a loop in the background.
package struct LoopThread: ~Copyable {
    /// The kernel's number of the calling thread; never 0.
    ///
    /// `pthread_self` may be folded across an `await`, this not.
    static var current: Int32 { platform_thread() }

    private let handle: pthread_t

    fileprivate init(handle: pthread_t) {
        self.handle = handle
    }

    /// Waits until the loop has stopped.
    package consuming func join() {
        // The handle is joined once: this value is consumed.
        _ = pthread_join(handle, nil)
    }
}

extension EventLoop {
    private final class Start {
        let loop: EventLoop
        let name: String

        init(loop: EventLoop, name: String) {
            self.loop = loop
            self.name = name
        }
    }

    /// Serves this loop on a thread of its own, until `stop`.
    package func startThread(named name: String) throws(SystemError) -> LoopThread {
        var handle = pthread_t()
        // The reference passed here is taken back exactly once: by the new thread, or below when there is none.
        let start = unsafe Unmanaged.passRetained(Start(loop: self, name: name))
        let failure = unsafe pthread_create(
            &handle,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                // Taken back once, here.
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                _ = unsafe start.name.withCString { unsafe platform_name_thread($0) }
                start.loop.run()
                return nil
            },
            start.toOpaque()
        )
        guard failure == 0 else {
            unsafe start.release()
            throw SystemError(call: "pthread_create", number: failure)
        }
        return LoopThread(handle: handle)
    }
}
