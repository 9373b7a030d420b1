/// Rounds of a measurement, of which those count in which the machine was as fast as at its best.
///
/// A round is judged by readings of a gauge around it, never by what it measured. Pure.
///
/// Invariant: `chosen` has as many rounds as are wanted, as soon as there are so many.
struct SteadyRounds<Round: Sendable>: Sendable {
    /// How much slower than at its best the machine may be in a round that counts.
    static var slownessMax: Double { 1.1 }
    /// How many times as many rounds as are wanted are measured at most.
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
    ///   - fastest: The least that the gauge has ever shown.
    init(wanted: Int, fastest: Int64) {
        self.wanted = wanted
        self.fastest = fastest
    }

    /// Every round, those that don't count too.
    var all: [Round] { attempts.map(\.round) }

    /// The rounds with the least slowness.
    var chosen: [Round] {
        let order = attempts.indices.sorted { (attempts[$0].slowest, $0) < (attempts[$1].slowest, $1) }
        return order.prefix(wanted).sorted().map { attempts[$0].round }
    }

    /// How many of those that count were slowed down more than they may.
    var disturbedCount: Int { max(0, min(wanted, attempts.count) - steadyCount) }

    /// Whether enough rounds were measured.
    var isComplete: Bool { steadyCount >= wanted || attempts.count >= wanted * Self.attemptsPerRound }

    /// Adds a round with what the gauge showed before, within and after it.
    mutating func add(_ round: Round, readings: [Int64]) {
        fastest = min(fastest, readings.min() ?? fastest)
        attempts.append(Attempt(round: round, slowest: readings.max() ?? fastest))
    }

    private var steadyCount: Int {
        attempts.count { Double($0.slowest) <= Double(fastest) * Self.slownessMax }
    }
}
