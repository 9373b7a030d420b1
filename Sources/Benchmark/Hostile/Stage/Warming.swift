import EventLoop
import JSON

/// Fills the daemon's memory as ordinary use does, so that what an attack adds can be measured.
enum Warming {
    static let source = "kakao.blog"
    static let longQuery = "고양이"
    /// An answer of some hundred KiB, from the cache.
    static let longMore = #","limit":1000,"maxAge":86400"#
    private static let searches = 800
    private static let answers = 40
    private static let deadlineNanoseconds: Int64 = 60_000_000_000

    /// What is measured is the program, not its patience.
    static let limits: [String: JSONValue] = Dictionary(
        uniqueKeysWithValues: ["kakao.blog", "kakao.video", "kakao.web", "naver.blog"].map {
            ($0, ["perSecond": 10_000, "perDay": 1_000_000_000, "concurrency": 256])
        }
    )

    static func fill(_ daemon: HostileDaemon) throws(BenchmarkError) {
        // More pages than the cache holds.
        try ask(daemon, searches) { Wire.search(NewSearches.query($0), source, #","limit":1"#) }
        // The pages of the long answer, and answers ready to send.
        for _ in 0..<3 {
            try ask(daemon, 1) { _ in Wire.search(longQuery, source, longMore) }
            try ask(daemon, answers) { Wire.search(longQuery, source, #","limit":\#(900 + $0),"maxAge":86400"#) }
        }
    }

    private static func ask(
        _ daemon: HostileDaemon,
        _ count: Int,
        _ params: (Int) -> String
    ) throws(BenchmarkError) {
        let talk = try daemon.talk()
        let deadline = SystemCall.now + deadlineNanoseconds
        for number in 0..<count {
            guard talk.send(Wire.request(number, "search", params(number)), until: deadline) else { break }
        }
        for _ in 0..<count {
            guard Wire.isResult(talk.line(until: deadline)) else {
                throw daemon.process.failure("did not answer the searches that were to fill its memory")
            }
        }
    }
}
