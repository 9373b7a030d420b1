import Glibc

/// Returns the processor time of the calling thread for `work`, which other processes hardly affect.
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
    /// For an input four times as long, a linear operation takes 4 times as long, and a quadratic operation 16 times.
    private static let ratioMax = 8
    /// Times below this limit are accepted, because they cannot be measured reliably.
    private static let floor = Duration.milliseconds(30)
    private static let triesMax = 4

    /// Returns whether the time of an operation is linear in the size of its input; retries a few times if it is not.
    package static func isLinear(upTo size: Int, _ work: (Int) throws -> () throws -> Void) throws -> Bool {
        let (small, large) = (try work(size / 4), try work(size))
        for _ in 0..<triesMax {
            let time = try processorTime(of: large)
            if try time <= floor || time <= processorTime(of: small) * ratioMax { return true }
        }
        return false
    }
}
