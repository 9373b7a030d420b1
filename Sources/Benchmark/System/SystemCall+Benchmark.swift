import CPlatform
import EventLoop
import Glibc

/// System calls that only measuring needs; failures throw a `BenchmarkError` that names the action.
extension SystemCall {
    /// The monotonic clock.
    package static var now: Int64 { platform_monotonic_ns() }

    /// The processor time of this thread.
    static var threadTime: Int64 { time(of: CLOCK_THREAD_CPUTIME_ID) }

    /// The time of a clock; 0 for one that does not exist.
    package static func time(of clock: Int32) -> Int64 {
        var time = timespec()
        // The structure outlives the call.
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The failure of `action`, by `errno`.
    static func failure(_ action: String) -> BenchmarkError {
        BenchmarkError(SystemError(call: action, number: platform_errno()))
    }

    /// The result of a call, which is retried after EINTR; throws for -1.
    static func checked<Result: FixedWidthInteger>(_ action: @autoclosure () -> String, _ call: () -> Result)
        throws(BenchmarkError) -> Result
    {
        while true {
            let result = call()
            if result != -1 { return result }
            if platform_errno() != EINTR { throw failure(action()) }
        }
    }

    /// Opens a file, which only this user can read when it is new.
    static func open(_ path: String, _ flags: Int32) throws(BenchmarkError) -> FileDescriptor {
        FileDescriptor(
            owning: try checked("opening \(path)") {
                // The path lasts as long as the call.
                unsafe Glibc.open(path, flags | O_CLOEXEC, 0o600)
            }
        )
    }

    /// Writes a new file that only this user can read.
    package static func write(_ bytes: [UInt8], to path: String) throws(BenchmarkError) {
        let descriptor = try open(path, O_WRONLY | O_CREAT | O_TRUNC)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try checked("writing \(path)") {
                // The count keeps the write within the slice.
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor.raw, $0.baseAddress, $0.count) }
            }
            rest.removeFirst(count)
        }
    }

    /// Connects to a Unix socket, without blocking from then on; fails at once when no process listens.
    static func connect(_ path: String) throws(BenchmarkError) -> FileDescriptor {
        try BenchmarkError.wrapping { () throws(SystemError) in try UnixSocket.connect(to: path) }
    }

    /// Sends bytes from an offset on, `count` at most; how many were sent, or -1.
    static func send(_ bytes: [UInt8], from offset: Int, count: Int = .max, on descriptor: Int32) -> Int {
        precondition(offset >= 0 && offset < bytes.count && count > 0)
        // The offset and the count keep the call within the array.
        return unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(
                descriptor,
                $0.baseAddress.map { unsafe $0 + offset },
                min(count, bytes.count - offset),
                Int32(MSG_NOSIGNAL)
            )
        }
    }

    /// Gives this thread idle priority.
    static func lowerPriority() {
        // SCHED_IDLE; without it the thread only measures worse.
        var priority = sched_param()
        _ = unsafe sched_setscheduler(0, 5, &priority)
    }

    /// Lets other processes run for a while; may return earlier.
    package static func pause(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        // The structure outlives the call.
        unsafe nanosleep(&time, nil)
    }
}
