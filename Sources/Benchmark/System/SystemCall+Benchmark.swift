import CPlatform
import EventLoop
import Glibc

extension SystemCall {
    package static var now: Int64 { platform_monotonic_ns() }

    package static func time(of clock: Int32) -> Int64 {
        var time = timespec()
        // The local is valid during the call.
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    static func failure(_ action: String) -> BenchmarkError {
        BenchmarkError(SystemError(call: action, number: platform_errno()).description)
    }

    /// Repeats the call after EINTR.
    ///
    /// Throws an error if the call returns -1 for another reason.
    static func checked<Result: FixedWidthInteger>(
        _ action: @autoclosure () -> String,
        _ call: () -> Result
    ) throws -> Result {
        while true {
            let result = call()
            if result != -1 { return result }
            if platform_errno() != EINTR { throw failure(action()) }
        }
    }

    static func open(_ path: String, _ flags: Int32) throws -> FileDescriptor {
        // The path is valid during the call.
        FileDescriptor(owning: try checked("opening \(path)") { unsafe Glibc.open(path, flags | O_CLOEXEC, 0o600) })
    }

    package static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = try open(path, O_WRONLY | O_CREAT | O_TRUNC)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try checked("writing \(path)") {
                // The count limits the write to the slice.
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor.raw, $0.baseAddress, $0.count) }
            }
            rest.removeFirst(count)
        }
    }

    static func send(_ bytes: [UInt8], from offset: Int, count: Int = .max, on descriptor: Int32) -> Int {
        precondition(offset >= 0 && offset < bytes.count && count > 0)
        let count = min(count, bytes.count - offset)
        // The offset and the count keep the call within the array.
        return unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress.map { unsafe $0 + offset }, count, Int32(MSG_NOSIGNAL))
        }
    }

    package static func pause(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        // The local is valid during the call.
        unsafe nanosleep(&time, nil)
    }
}

extension Span<UInt8> {
    func contains(_ needle: [UInt8]) -> Bool {
        guard let lead = needle.first else { return true }
        var start = 0
        while start + needle.count <= count {
            if self[start] == lead, extracting(droppingFirst: start).starts(with: needle) { return true }
            start += 1
        }
        return false
    }

    func starts(with prefix: [UInt8]) -> Bool {
        guard count >= prefix.count else { return false }
        for index in prefix.indices where self[index] != prefix[index] { return false }
        return true
    }
}

/// The processor for the servers and the processor for this program, which may be the same.
struct Processors {
    let server: Int32
    let load: Int32

    init() throws {
        var found: [Int32] = [0, 0]
        // The call writes at most two numbers, which the array can hold.
        let count = try SystemCall.checked("asking for the processors") { unsafe platform_processors(&found, 2) }
        (server, load) = (found[0], count > 1 ? found[1] : found[0])
        try Self.pin(load)
    }

    /// Runs `body`, whose child processes run on the processor for servers.
    func serving<Result>(_ body: () throws -> Result) throws -> Result {
        try Self.pin(server)
        let result = Swift.Result { try body() }
        try Self.pin(load)
        return try result.get()
    }

    var description: String {
        server == load
            ? "servers and load share processor \(server)" : "servers on processor \(server), load on \(load)"
    }

    private static func pin(_ processor: Int32) throws {
        _ = try SystemCall.checked("moving to processor \(processor)") { platform_pin(processor) }
    }
}
