#if DEBUG
    import Glibc

    /// Traps if one step takes too much processor time.
    ///
    /// `slowdown` raises the limit, because debug code is slow.
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
