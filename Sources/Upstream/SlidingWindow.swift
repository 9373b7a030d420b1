import EventLoop

/// At most so many calls within any window of a length, wherever it begins.
///
/// For quotas of a minute, which a source counts from wherever it likes.
struct SlidingWindow: Sendable {
    let length: Duration
    /// At least one.
    var limit: Int
    /// When the latest calls were admitted, oldest first; at most `limit`.
    private var admitted: [Instant] = []

    init(length: Duration, limit: Int) {
        self.length = length
        self.limit = limit
    }

    /// When a call would be admitted that has so many before it.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let admitted = admitted.filter { $0.advanced(by: length) > now }
        let waiting = admitted.count + others - limit
        guard waiting >= 0 else { return now }
        // Those before it will count for a whole length as well.
        guard waiting < admitted.count else { return now.advanced(by: length * (waiting / limit + 1)) }
        return max(now, admitted[waiting].advanced(by: length))
    }

    /// Counts a call that `earliest` says may go now.
    mutating func admit(at now: Instant) {
        admitted.removeAll { $0.advanced(by: length) <= now }
        admitted.append(now)
    }

    /// The call that was admitted then was not sent.
    mutating func giveBack(admittedAt instant: Instant) {
        if let index = admitted.lastIndex(of: instant) { admitted.remove(at: index) }
    }
}
