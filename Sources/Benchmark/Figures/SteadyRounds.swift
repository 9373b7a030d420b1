/// Rounds of a measurement, of which only those count in which the machine ran at full speed.
///
/// A round is judged by gauge readings around it, never by its own result. Pure.
///
/// Invariant: `chosen` has `wanted` rounds as soon as so many were measured.
struct SteadyRounds<Round: Sendable>: Sendable {
    /// How much slower than its best speed the machine may be in a round that counts.
    static var slownessMax: Double { 1.1 }
    /// The most rounds to measure for each wanted one.
    static var attemptsPerRound: Int { 12 }

    private struct Attempt: Sendable {
        let round: Round
        let slowest: Int64
    }

    let wanted: Int
    private var attempts: [Attempt] = []
    private var fastest: Int64

    /// - Parameters:
    ///   - wanted: How many rounds are to count.
    ///   - fastest: The lowest gauge reading so far.
    init(wanted: Int, fastest: Int64) {
        self.wanted = wanted
        self.fastest = fastest
    }

    /// Every round, also those that don't count.
    var all: [Round] { attempts.map(\.round) }

    /// The rounds with the least slowness.
    var chosen: [Round] {
        let order = attempts.indices.sorted { (attempts[$0].slowest, $0) < (attempts[$1].slowest, $1) }
        return order.prefix(wanted).sorted().map { attempts[$0].round }
    }

    /// How many of the chosen rounds were slower than allowed.
    var disturbedCount: Int { max(0, min(wanted, attempts.count) - steadyCount) }

    /// Whether enough rounds were measured.
    var isComplete: Bool { steadyCount >= wanted || attempts.count >= wanted * Self.attemptsPerRound }

    /// Adds a round with the gauge readings before, within and after it.
    mutating func add(_ round: Round, readings: [Int64]) {
        fastest = min(fastest, readings.min() ?? fastest)
        attempts.append(Attempt(round: round, slowest: readings.max() ?? fastest))
    }

    private var steadyCount: Int {
        attempts.count { Double($0.slowest) <= Double(fastest) * Self.slownessMax }
    }
}
