#if DEBUG
    import Glibc

    /// Traps in debug builds when one step holds the loop for longer than it may.
    ///
    /// Counted in the thread's processor time, which a busy machine doesn't stretch; unoptimised code gets as many
    /// times longer as it is slower.
    struct StepCheck {
        private static let slowdown: Int64 = 300

        private var began: Int64 = 0

        mutating func begin() {
            began = Self.threadNanoseconds
        }

        /// A step has ended, and the next may begin.
        mutating func end() {
            let now = Self.threadNanoseconds
            let took = now - began
            precondition(took <= EventLoop.stepNanosecondsMax * Self.slowdown, "a step held the loop for \(took) ns")
            began = now
        }

        private static var threadNanoseconds: Int64 {
            var time = timespec()
            // The structure is ours and outlives the call.
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
    }
#endif
