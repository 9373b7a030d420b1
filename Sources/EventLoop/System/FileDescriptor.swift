import Glibc

/// The owner of one descriptor: it is closed exactly once, when the owner ends.
package struct FileDescriptor: ~Copyable, Sendable {
    package let raw: Int32

    /// Takes over a descriptor that nothing else closes.
    package init(owning raw: Int32) {
        precondition(raw >= 0, "a descriptor is never negative")
        self.raw = raw
    }

    /// Gives the descriptor away, open.
    package consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    deinit {
        // Never retried: after EINTR the descriptor is gone on Linux, and its number may be in use again.
        _ = close(raw)
    }
}
