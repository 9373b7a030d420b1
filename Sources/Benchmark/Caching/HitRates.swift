import Catalogue
import Engine
import EventLoop
import SearchModel

/// How fast the engine answers from a small cache and from a large one.
struct HitRates: Sendable {
    /// How a hit is answered.
    enum Way: String, CaseIterable, Sendable {
        /// By the exact bytes of the request, which led to an answer before.
        case repeated
        /// By the pages that the search needs.
        case assembled
    }

    /// One measurement: answers per second of processor time.
    struct Round: Sendable {
        let way: Way
        let small: Double
        let large: Double
    }

    /// How many different searches are made, and how many pages the small cache holds.
    static let searches = 1_000
    /// Answers in one measurement.
    private static let answers = 20_000
    private static let shareMin = 0.9

    private(set) var rounds: [Round] = []

    /// Fills two caches and makes the same searches of both, in turns.
    static func measure(entries: Int, rounds: Int) throws(BenchmarkError) -> HitRates {
        try OnLoop.run { loop async throws(BenchmarkError) in
            try await measure(entries: entries, rounds: rounds, on: loop)
        }
    }

    private static func measure(entries: Int, rounds: Int, on loop: EventLoop) async throws(BenchmarkError) -> HitRates
    {
        let profile = try EngineAlone.profile("bench.cache")
        let requests = (0..<searches).compactMap { request($0, profile) }
        var small = try await Contestant(engine(on: loop, entries: searches, profile), requests, loop)
        var large = try await Contestant(engine(on: loop, entries: entries, profile), requests, loop)
        var rates = HitRates()
        // The first round warms up and is not counted.
        for round in 0...rounds {
            for way in Way.allCases {
                let measured = Round(
                    way: way,
                    small: try await small.rate(way, answers: answers),
                    large: try await large.rate(way, answers: answers)
                )
                if round > 0 { rates.rounds.append(measured) }
            }
        }
        return rates
    }

    /// An engine whose cache holds so many pages; those that are searched lie among the others.
    private static func engine(on loop: EventLoop, entries: Int, _ profile: SourceProfile) async -> EngineAlone {
        let engine = EngineAlone(on: loop, now: 0)
        let hitsOnPage = EngineAlone.hitsOnPage
        for number in 0..<entries {
            let isAsked = number % (entries / searches) == 0
            let asked = isAsked ? number / (entries / searches) : nil
            guard let request = request(asked ?? searches + number, profile) else { continue }
            let hits = asked.map { asked in (0..<hitsOnPage).map { hit(asked * hitsOnPage + $0, profile) } } ?? []
            await engine.keep(hits, for: request.query, of: profile)
        }
        return engine
    }

    private static func request(_ number: Int, _ profile: SourceProfile) -> SearchRequest? {
        SearchQuery("검색 \(number)").map { SearchRequest(query: $0, sources: [profile]) }
    }

    private static func hit(_ number: Int, _ profile: SourceProfile) -> Hit {
        var hit = Hit(
            id: "\(profile.name):\(number)",
            source: profile.name,
            kind: profile.kind,
            title: "제목 \(number)",
            rank: 1
        )
        hit.snippet = String(repeating: "찾은 것의 앞부분 \(number) ", count: 8)
        return hit
    }

    static func section(_ rates: HitRates, entries: Int) -> Report.Section {
        let many = Numbers.decimal(Double(entries))
        var table = ResultTable(["answers/s of processor time", "1,000 pages", "\(many) pages", "ratio"])
        var verdicts: [Verdict] = []
        for way in Way.allCases {
            let rounds = rates.rounds.filter { $0.way == way }
            guard let small = Spread(rounds.map(\.small)), let large = Spread(rounds.map(\.large)) else { continue }
            let ratio = Spread(ratiosOf: rounds.map(\.large), to: rounds.map(\.small))
            table.add(way.rawValue, [.rounds(small), .rounds(large), .rounds(ratio, .ratio, withExtremes: true)])
            verdicts.append(
                Verdict(
                    "hits that are \(way.rawValue), among \(many) pages: at least 0.9 of the rate among 1,000",
                    measured: Numbers.ratio(ratio),
                    passed: (ratio?.median ?? 0) >= shareMin
                )
            )
        }
        return Report.Section(
            name: "cacheRates",
            title: "Hits among few pages and among many",
            notes: [
                "the engine alone, without sockets: \(Numbers.decimal(Double(searches))) searches in rotation, found by"
                    + " their exact bytes, or assembled from their pages",
                "medians of the rounds, which measure both in turns; in brackets the extremes",
            ],
            tables: [table],
            verdicts: verdicts
        )
    }
}

/// An engine that is measured, and its finished answers.
private struct Contestant {
    private let engine: EngineAlone
    private let requests: [SearchRequest]
    private let loop: EventLoop
    private var finished = FinishedAnswers(bytesMax: 16 << 20, seed: 1)
    private var output: [UInt8] = []

    init(_ engine: EngineAlone, _ requests: [SearchRequest], _ loop: EventLoop) async throws(BenchmarkError) {
        self.engine = engine
        self.requests = requests
        self.loop = loop
        for request in requests {
            let answer = try await engine.answer(request)
            let template = AnswerTemplate(answer, form: .whole(raw: false), repeats: true)
            // The key is copied within the call.
            unsafe Array(request.query.text.utf8).withUnsafeBytes { key in
                unsafe finished.insert(template, for: key, validity: answer.validity, validUntil: answer.validUntil)
            }
        }
    }

    /// Answers per second of processor time, each written out as for a client.
    mutating func rate(_ way: HitRates.Way, answers: Int) async throws(BenchmarkError) -> Double {
        let start = SystemCall.threadTime
        for number in 0..<answers {
            // Neighbours in memory are not asked for one after the other.
            let request = requests[number * 7919 % requests.count]
            output.removeAll(keepingCapacity: true)
            switch way {
            case .repeated: try repeated(request)
            case .assembled:
                let template = AnswerTemplate(try await engine.answer(request), form: .whole(raw: false), repeats: true)
                template.write(to: &output, now: loop.now, since: loop.now)
            }
        }
        return Double(answers) * 1e9 / Double(max(1, SystemCall.threadTime - start))
    }

    private mutating func repeated(_ request: SearchRequest) throws(BenchmarkError) {
        var text = request.query.text
        let now = loop.now
        let found = text.withUTF8 { key in
            // The key is read within the call.
            unsafe finished.answer(for: UnsafeRawBufferPointer(key), of: 0, now: now)
        }
        guard let found else { throw BenchmarkError(.answer, "an answer that was given before is not there") }
        found.template.write(to: &output, now: now, since: now)
    }
}
