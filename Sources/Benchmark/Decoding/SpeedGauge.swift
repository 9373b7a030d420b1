import Catalogue

/// How fast the servers' processor is at a moment.
///
/// What else the machine does, unseen from here, makes the same work take up to twice the processor time. A computation
/// of the kind that is measured, always the same one, shows that without knowing what is measured.
struct SpeedGauge {
    /// Until the processor has the program at hand again.
    private static let turnsFirst = 20
    private static let turns = 100

    private let pages: DecodingCase
    private let processors: Processors

    init(_ source: Source, _ sandbox: SandboxServer, _ processors: Processors) throws(BenchmarkError) {
        pages = try DecodingCase(source, sandbox)
        self.processors = processors
    }

    /// Nanoseconds of processor time that the computation takes now; for when the servers have nothing to do.
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
