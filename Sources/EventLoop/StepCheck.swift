#if DEBUG
    import Glibc

    /// Traps in debug builds when one step of a loop (a job, a timer or a handler) takes too much processor time.
    ///
    /// `slowdown` multiplies the limit, because debug code is slow.
    struct StepCheck {
        private static let slowdown: Int64 = 300

        private var began: Int64 = 0

        mutating func begin() {
            began = Self.threadNanoseconds
        }

        mutating func end() {
            let now = Self.threadNanoseconds
            let took = now - began
            precondition(took <= EventLoop.stepNanosecondsMax * Self.slowdown, "a step held the loop for \(took) ns")
            began = now
        }

        private static var threadNanoseconds: Int64 {
            var time = timespec()
            // The local is valid during the call.
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
    }
#endif
