import EventLoop

/// Allows a limited number of calls in any window of a given length, wherever it begins.
///
/// For quotas per minute: a source may begin its minute anywhere.
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

    /// When a call with this many calls before it would be admitted.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let admitted = admitted.filter { $0.advanced(by: length) > now }
        let waiting = admitted.count + others - limit
        guard waiting >= 0 else { return now }
        // The calls before it will also count for a whole window.
        guard waiting < admitted.count else { return now.advanced(by: length * (waiting / limit + 1)) }
        return max(now, admitted[waiting].advanced(by: length))
    }

    /// Counts a call; `earliest` must allow it now.
    mutating func admit(at now: Instant) {
        admitted.removeAll { $0.advanced(by: length) <= now }
        admitted.append(now)
    }

    /// Removes the call admitted then, which was not sent.
    mutating func giveBack(admittedAt instant: Instant) {
        if let index = admitted.lastIndex(of: instant) { admitted.remove(at: index) }
    }
}
