import Glibc

/// Measures processor time, because other processes hardly affect it.
private func processorTime(of work: () throws -> Void) rethrows -> Duration {
    let start = processorTimeOfThread()
    try work()
    return processorTimeOfThread() - start
}

private func processorTimeOfThread() -> Duration {
    var time = timespec()
    // The clock always exists, and the call writes only to the local variable.
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Checks that the processor time of an operation grows linearly with its input.
package enum Growth {
    /// If the input is four times as large, linear time is 4 times as long, and quadratic time 16 times.
    private static let ratioMax = 8
    /// Shorter times cannot be measured reliably, so they pass.
    private static let floor = Duration.milliseconds(30)
    private static let triesMax = 4

    package static func isLinear(upTo size: Int, _ work: (Int) throws -> () throws -> Void) throws -> Bool {
        let (small, large) = (try work(size / 4), try work(size))
        for _ in 0..<triesMax {
            let time = try processorTime(of: large)
            if try time <= floor || time <= processorTime(of: small) * ratioMax { return true }
        }
        return false
    }
}
