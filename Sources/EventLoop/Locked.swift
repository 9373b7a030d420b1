#if TSAN
    import Glibc
#else
    public import Synchronization
#endif

/// A value protected by a lock.
///
/// `body` must not block or take another lock.
///
/// `@safe`: the value is used only while the lock is held.
///
/// Thread Sanitizer reports false races for `Mutex`, so builds for it use `pthread_mutex_t`.
///
/// `public` and inlinable, because the compiler does not specialise `package` code for other modules.
@safe
public final class Locked<Value: Sendable>: Sendable {
    #if TSAN
        // The value is protected by `mutex`, which is destroyed in deinit.
        private nonisolated(unsafe) var value: Value
        private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

        public init(_ value: Value) {
            // No other thread can access this object yet.
            unsafe self.value = value
            unsafe mutex = .allocate(capacity: 1)
            unsafe pthread_mutex_init(mutex, nil)
        }

        public func withLock<Result: Sendable, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            // The mutex is valid until deinit.
            unsafe pthread_mutex_lock(mutex)
            defer { unsafe pthread_mutex_unlock(mutex) }
            // The lock is held.
            return try unsafe body(&value)
        }

        deinit {
            // No other owner exists, so no thread holds the lock or waits for it.
            unsafe pthread_mutex_destroy(mutex)
            unsafe mutex.deallocate()
        }
    #else
        @usableFromInline let mutex: Mutex<Value>

        @inlinable
        public init(_ value: Value) {
            mutex = Mutex(value)
        }

        @inlinable
        public func withLock<Result: Sendable, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try mutex.withLock { value throws(Failure) in try body(&value) }
        }
    #endif
}
