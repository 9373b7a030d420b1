import CPlatform
import Glibc

/// The system's answers as values or `BenchmarkError`s; every call that can fail says what it was for.
enum SystemCall {
    /// The monotonic clock.
    static var now: Int64 { platform_monotonic_ns() }

    /// The processor time of this thread.
    static var threadTime: Int64 {
        var time = timespec()
        // The structure outlives the call, which can't fail for this clock.
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// What `errno` says, for the failure of `action`.
    static func failure(_ action: String) -> BenchmarkError {
        let number = platform_errno()
        // strerror's text stays valid until the next call of this thread, and is copied at once.
        let reason = unsafe String(cString: strerror(number))
        return BenchmarkError(.system, "\(action): \(reason)")
    }

    /// The result of a call, tried again when a signal came first, or an error for -1.
    static func checked<Result: FixedWidthInteger>(_ action: @autoclosure () -> String, _ call: () -> Result)
        throws(BenchmarkError) -> Result
    {
        while true {
            let result = call()
            if result != -1 { return result }
            if platform_errno() != EINTR { throw failure(action()) }
        }
    }

    /// All that a file holds, for files of the kernel, whose size nobody knows before; nil when it can't be read.
    static func contents(of path: String) -> [UInt8]? {
        // The path lasts as long as the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            // The count keeps the read within the chunk.
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count < 0 { return nil }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Writes a new file that only this user can read.
    static func write(_ text: String, to path: String) throws(BenchmarkError) {
        let descriptor = try checked("creating \(path)") {
            // The path lasts as long as the call.
            unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        defer { close(descriptor) }
        var rest = ArraySlice(text.utf8)
        while !rest.isEmpty {
            let count = try checked("writing \(path)") {
                // The count keeps the write within the slice.
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            }
            rest.removeFirst(count)
        }
    }

    /// The names in a directory, but for itself and its parent; empty when it can't be read.
    static func names(in directory: String) -> [String] {
        // The stream is used by this function alone, and closed at its end.
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // The entry is valid until the next call of readdir; its name, which ends in zero, is copied before.
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// From now on this thread runs only when no other thread wants its processor.
    static func giveWay() {
        // What Linux calls SCHED_IDLE; a thread that keeps its class only measures worse.
        var priority = sched_param()
        _ = unsafe sched_setscheduler(0, 5, &priority)
    }

    /// Lets other processes run for a while; may return earlier.
    static func pause(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        // The structure outlives the call.
        unsafe nanosleep(&time, nil)
    }
}

extension Duration {
    /// Whole nanoseconds, for arithmetic on the monotonic clock.
    var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
