import Glibc

/// The processor time that the calling thread spends on some work, whatever else the machine does meanwhile.
package func processorTime(of work: () throws -> Void) rethrows -> Duration {
    let start = processorTimeOfThread()
    try work()
    return processorTimeOfThread() - start
}

private func processorTimeOfThread() -> Duration {
    var time = timespec()
    // The clock is always there, and the call writes this variable only.
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// How an operation's time grows with its input.
package enum Growth {
    /// A linear operation takes 4 times as long for an input four times as long, a quadratic one 16 times.
    private static let ratioMax = 8
    /// What takes no longer than this is quick enough, and too short to be measured.
    private static let floor = Duration.milliseconds(30)
    private static let triesMax = 4

    /// Whether the time of some work is in proportion to the size of its input; measured again where it seems not to
    /// be.
    package static func isLinear(upTo size: Int, _ work: (Int) throws -> () throws -> Void) throws -> Bool {
        let (small, large) = (try work(size / 4), try work(size))
        for _ in 0..<triesMax {
            let time = try processorTime(of: large)
            if try time <= floor || time <= processorTime(of: small) * ratioMax { return true }
        }
        return false
    }
}
