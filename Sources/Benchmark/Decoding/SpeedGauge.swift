import Catalogue

/// The current speed of the servers' processor.
///
/// Other load on the machine makes the same work take up to twice the processor time. A fixed computation of the same
/// kind as the measured one shows by how much.
struct SpeedGauge {
    /// Turns that warm the processor's caches.
    private static let turnsFirst = 20
    private static let turns = 100

    private let pages: DecodingCase
    private let processors: Processors

    init(_ source: Source, _ sandbox: SandboxServer, _ processors: Processors) throws(BenchmarkError) {
        pages = try DecodingCase(source, sandbox)
        self.processors = processors
    }

    /// Nanoseconds of processor time that the computation takes now; the servers must be idle.
    func reading() throws(BenchmarkError) -> Int64 {
        try processors.serving { () throws(BenchmarkError) in
            for turn in 0..<Self.turnsFirst { _ = try pages.decode(turn) }
            var sum: Int64 = 0
            for turn in 0..<Self.turns {
                let cost = try pages.decode(turn)
                sum += cost.decoding + cost.serialising
            }
            return sum
        }
    }
}
