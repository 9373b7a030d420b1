import Glibc

/// The processor time that the calling thread spends on some work; it does not depend on the load of the machine.
private func processorTime(of work: () throws -> Void) rethrows -> Duration {
    let start = processorTimeOfThread()
    try work()
    return processorTimeOfThread() - start
}

private func processorTimeOfThread() -> Duration {
    var time = timespec()
    // The clock always exists, and the call writes only the local.
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Measures how the time of an operation grows with its input.
package enum Growth {
    /// For an input four times as long, a linear operation takes 4 times as long, a quadratic one 16 times.
    private static let ratioMax = 8
    /// Shorter times are accepted, because they cannot be measured reliably.
    private static let floor = Duration.milliseconds(30)
    private static let triesMax = 4

    /// Whether the time of an operation is linear in the size of its input; repeats a measurement that fails.
    package static func isLinear(upTo size: Int, _ work: (Int) throws -> () throws -> Void) throws -> Bool {
        let (small, large) = (try work(size / 4), try work(size))
        for _ in 0..<triesMax {
            let time = try processorTime(of: large)
            if try time <= floor || time <= processorTime(of: small) * ratioMax { return true }
        }
        return false
    }
}
