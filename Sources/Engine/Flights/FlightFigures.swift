/// What became of the callers of shared calls; exact.
package struct FlightFigures: Equatable, Sendable {
    /// Calls under way and callers who wait for them, now.
    package var flights = 0
    package var waiters = 0
    /// Callers for whom a call was begun.
    package var led = 0
    /// Callers who found one under way.
    package var joined = 0
    /// Callers past the limits.
    package var refused = 0
    /// Calls that everybody had left before they were sent.
    package var abandoned = 0
}
