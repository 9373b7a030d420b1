import EventLoop
import JSON

/// Importing very many items: what memory that takes, and what it leaves to others.
enum LibraryImport {
    private static let memoryMax = 64 << 20
    private static let rateMin = 0.9
    private static let scenario = Scenario(connections: 16)

    static func run(
        _ options: Options,
        _ factory: PeerFactory
    ) throws(BenchmarkError) -> (section: Report.Section, library: LibraryPeer) {
        let library = try LibraryPeer(factory)
        let (traffic, _) = try SearchdPeer.traffic(library.peer)
        let idle = try library.peer.process.figures.residentBytes()
        var texts = LibraryTexts(seed: 3)
        let steps = options.libraryItems / LibraryPeer.step / (2 * options.rounds)
        var rounds: [(quiet: LoadSample, busy: LoadSample)] = []
        var number = 0
        func batch(_ steps: Int) -> [[UInt8]] {
            let saves = (0..<steps).map { _ in
                number += 1
                let hits = texts.hits(LibraryPeer.step, "i\(number)-")
                return Wire.request(number, "library/save", LibraryPeer.params(hits[...]))
            }
            // Nothing of the work is left for later.
            return saves + [Wire.request(number + 1, "library/list", LibraryPeer.wordParams)]
        }
        // Half of it during the measurements, so that each has enough; the rest before the last look at the memory.
        for _ in 0..<options.rounds {
            let quiet = try library.peer.load(traffic, scenario, options, warms: false)
            let importer = try Importer(library, batch(steps))
            let busy = try library.peer.load(traffic, scenario, options, warms: false)
            try importer.finish()
            rounds.append((quiet, busy))
        }
        let rest = options.libraryItems / LibraryPeer.step - steps * options.rounds
        let importer = try Importer(library, batch(rest))
        try importer.finish()
        let memory = try library.peer.process.figures.peakResidentBytes() - idle
        return (section(rounds, memory, options), library)
    }

    /// Sends steps one after the other, from a thread of its own.
    private final class Importer {
        private let failure = Locked<String?>(nil)
        private let thread: WorkerThread

        init(_ library: LibraryPeer, _ lines: [[UInt8]]) throws(BenchmarkError) {
            let path = library.peer.socketPath
            thread = try BenchmarkError.wrapping { [failure] () throws(SystemError) in
                try WorkerThread {
                    let talk = try? Dialogue(path)
                    for line in lines {
                        let answer = talk?.answer(to: line, within: 60_000_000_000)
                        guard Wire.isResult(answer) else {
                            let text = String(decoding: (answer ?? []).prefix(400), as: UTF8.self)
                            return failure.withLock { $0 = text }
                        }
                    }
                }
            }
        }

        func finish() throws(BenchmarkError) {
            thread.join()
            if let text = failure.withLock({ $0 }) { throw BenchmarkError(.answer, "a step was not saved: \(text)") }
        }
    }

    private static func section(
        _ rounds: [(quiet: LoadSample, busy: LoadSample)],
        _ memory: Int,
        _ options: Options
    ) -> Report.Section {
        let ratio = Spread(
            ratiosOf: rounds.map(\.busy.answersPerSecond),
            to: rounds.map(\.quiet.answersPerSecond)
        )
        var table = ResultTable(["importing \(options.libraryItems) items", "median", "ratio"])
        table.add("cached searches a second, quiet", [.rounds(Spread(rounds.map(\.quiet.answersPerSecond)))])
        table.add(
            "the same while items are imported",
            [.rounds(Spread(rounds.map(\.busy.answersPerSecond))), .rounds(ratio, .ratio, withExtremes: true)]
        )
        table.add("memory beyond idle, MiB", [.one(Double(memory), .mebibytes)])
        return Report.Section(
            name: "libraryImport",
            title: "Importing",
            notes: ["steps of \(LibraryPeer.step) items, one after the other; \(scenario.name) search meanwhile"],
            tables: [table],
            verdicts: [
                Verdict(
                    "importing \(options.libraryItems) items: less than 64 MiB more than idle",
                    measured: "\(Unit.mebibytes.text(Double(memory))) MiB",
                    passed: memory < memoryMax
                ),
                Verdict(
                    "other clients' cached searches keep at least 0.9 of their rate meanwhile",
                    measured: Numbers.ratio(ratio),
                    passed: (ratio?.median ?? 0) >= rateMin
                ),
            ]
        )
    }
}
