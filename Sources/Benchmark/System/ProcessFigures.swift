import EventLoop
import Glibc

/// What the kernel reports about a process.
struct ProcessFigures {
    let process: pid_t

    /// Processor time of all threads so far, those that have ended too, in nanoseconds.
    func processorTime() throws(BenchmarkError) -> Int64 {
        var clock = clockid_t()
        // The local outlives the call that fills it.
        guard unsafe clock_getcpuclockid(process, &clock) == 0, case let time = SystemCall.time(of: clock), time > 0
        else { throw BenchmarkError(.system, "process \(process) has no processor time: it has ended") }
        return time
    }

    /// Processor time of the threads of this name that are alive, in nanoseconds; 0 where the kernel keeps no count.
    func processorTime(ofThread name: String) -> Int64 {
        let threads = "/proc/\(process)/task"
        let named = (SystemCall.names(in: threads) ?? []).filter { thread in
            SystemCall.contents(of: "\(threads)/\(thread)/comm").map { $0.dropLast().elementsEqual(name.utf8) } ?? false
        }
        return named.reduce(0) { sum, thread in
            let first = SystemCall.contents(of: "\(threads)/\(thread)/schedstat")?.split(separator: UInt8(ascii: " "))
                .first
            return sum + (first.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0)
        }
    }

    /// Resident memory in bytes, counted page by page: the figure in `status` may lag behind by some hundred KiB.
    func residentBytes() throws(BenchmarkError) -> Int {
        let exact = SystemCall.contents(of: "/proc/\(process)/smaps_rollup").flatMap { Self.field("Rss", in: $0) }
        let quick = SystemCall.contents(of: "/proc/\(process)/status").flatMap { Self.field("VmRSS", in: $0) }
        guard let kibibytes = exact ?? quick else {
            throw BenchmarkError(.system, "process \(process) has no memory: it has ended")
        }
        return kibibytes * 1024
    }

    /// The most that was ever resident, in bytes.
    func peakResidentBytes() throws(BenchmarkError) -> Int {
        let peak = SystemCall.contents(of: "/proc/\(process)/status").flatMap { Self.field("VmHWM", in: $0) }
        guard let peak else { throw BenchmarkError(.system, "process \(process) has no memory: it has ended") }
        return peak * 1024
    }

    /// How often its threads have gone to sleep so far: each needed a wake-up.
    func voluntarySwitches() throws(BenchmarkError) -> Int {
        let threads = "/proc/\(process)/task"
        let counts = (SystemCall.names(in: threads) ?? []).compactMap { thread in
            SystemCall.contents(of: "\(threads)/\(thread)/status").flatMap {
                Self.field("voluntary_ctxt_switches", in: $0)
            }
        }
        guard !counts.isEmpty else { throw BenchmarkError(.system, "process \(process) has no threads: it has ended") }
        return counts.reduce(0, +)
    }

    /// The number after `name:` in a file of such lines.
    static func field(_ name: String, in text: [UInt8]) -> Int? {
        let prefix = Array((name + ":").utf8)
        for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: prefix) {
            let digits = line.dropFirst(prefix.count).filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
            return Int(String(decoding: digits, as: UTF8.self))
        }
        return nil
    }
}
