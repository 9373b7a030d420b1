import Glibc

/// Kills this process after a time, for tests of crashes.
package enum Death {
    package static func schedule(microseconds: Int) {
        // The kernel copies the structures during the calls. It uses only the signal's number from the event.
        var event = unsafe sigevent()
        unsafe event.sigev_notify = Int32(SIGEV_SIGNAL)
        unsafe event.sigev_signo = SIGKILL
        var timer: timer_t?
        var time = itimerspec()
        time.it_value.tv_nsec = microseconds * 1000
        precondition(unsafe timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "the timer cannot be created")
        precondition(unsafe timer_settime(timer, 0, &time, nil) == 0, "the timer cannot be set")
    }
}
