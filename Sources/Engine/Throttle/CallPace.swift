import EventLoop

/// How long a source's calls have lately taken: at the gate, where its limits hold them, and in all; and from that the
/// forecast of waiting for a free slot.
///
/// Pure. Each figure moves a quarter of the way to the latest call.
struct CallPace: Sendable {
    /// From its start until the limits let a call through; nil before the first.
    private(set) var gate: Int64?
    /// From its start to its end; nil before the first.
    private(set) var whole: Int64?

    mutating func passed(after nanoseconds: Int64) {
        gate = Self.moved(gate, towards: nanoseconds)
    }

    mutating func ended(after nanoseconds: Int64) {
        whole = Self.moved(whole, towards: nanoseconds)
    }

    /// Whether the gate holds calls longer than waiting for one of so many slots does.
    func isHeldByGate(slots: Int) -> Bool {
        (gate ?? 0) > (whole ?? 0) / Int64(slots)
    }

    /// From one start to the next while calls wait for so many slots; nil while nothing is known.
    func interval(slots: Int) -> Int64? {
        whole.map { max(gate ?? 0, $0 / Int64(slots)) }
    }

    /// When a slot is free for a call with so many before it, if all calls take as long as the latest ones did; now
    /// while nothing is known.
    func slotFrees(
        behind ahead: Int,
        running: some Sequence<Instant>,
        slots: Int,
        at now: Instant
    ) -> Instant {
        let whole = Duration.nanoseconds(whole ?? 0)
        let ends = running.map { max(now, $0.advanced(by: whole)) }.sorted().suffix(slots)
        let free = Array(repeating: now, count: slots - ends.count) + ends
        return free[ahead % slots].advanced(by: whole * (ahead / slots))
    }

    private static func moved(_ figure: Int64?, towards latest: Int64) -> Int64 {
        figure.map { $0 + (latest - $0) / 4 } ?? latest
    }
}
