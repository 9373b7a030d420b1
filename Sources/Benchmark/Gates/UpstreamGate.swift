import EventLoop
import Glibc

/// A response of a hostile source.
///
/// The number in the query chooses the response.
struct HostileAnswer: Sendable {
    let name: String
    let head: String
    let body: [UInt8]
    var isEndless = false

    #if DEBUG
        private static let hitCount = 5
    #else
        private static let hitCount = 35
    #endif

    static let all: [HostileAnswer] =
        [
            HostileAnswer(
                name: "a header of 1 MiB",
                head: "200 OK\r\nX-Long: \(String(repeating: "a", count: 1 << 20))",
                body: Array("{}".utf8)
            ),
            HostileAnswer(
                name: "an endless body",
                head: "200 OK",
                body: [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20),
                isEndless: true
            ),
            HostileAnswer(
                name: "3 MiB of brackets",
                head: "200 OK",
                body: [UInt8](repeating: UInt8(ascii: "["), count: 3 << 20)
            ),
        ] + HostileText.all.flatMap { [error(of: $0), hits(of: $0)] }

    static func query(_ index: Int) -> String { "hostile\(index)x" }

    static func requested(by request: [UInt8]) -> HostileAnswer? {
        let text = String(decoding: request, as: UTF8.self)
        return all.indices.first { text.contains(query($0)) }.map { all[$0] }
    }

    private static func error(of text: HostileText) -> HostileAnswer {
        let message = String(decoding: text.bytes(800_000), as: UTF8.self)
        let body = #"{"errorType":"\#(message)","message":"\#(message)"}"#
        return HostileAnswer(
            name: "error 400 with 1.6 MB of \(text.name)",
            head: "400 Bad Request",
            body: Array(body.utf8)
        )
    }

    private static func hits(of text: HostileText) -> HostileAnswer {
        let title = String(decoding: text.bytes(30 * 1024), as: UTF8.self)
        let documents = (0..<hitCount).map { number in
            #"{"title":"\#(title)","contents":"\#(title)","url":"https://a.example/\#(number)","blogname":"\#(title)","#
                + #""datetime":"2024-03-09T11:51:51.000+09:00","thumbnail":""}"#
        }
        let meta = #"{"total_count":1000,"pageable_count":800,"is_end":false}"#
        let body = #"{"meta":\#(meta),"documents":[\#(documents.joined(separator: ","))]}"#
        return HostileAnswer(name: "titles of 30 KiB of \(text.name)", head: "200 OK", body: Array(body.utf8))
    }
}

/// Checks that no response of a source delays other clients or other sources.
enum UpstreamGate {
    private static let pingMax = 100e6
    private static let goodSearchMax = 1e9
    private static let searches = 4
    /// The best attempt counts, because other load on the machine can delay answers.
    private static let attemptsMax = 3

    private struct Outcome {
        var ping: Int64 = 0
        var goodSearch: Int64 = .max
        var answered = 0

        func hasPassed(_ options: Options) -> Bool {
            Double(ping) <= options.limit(pingMax) && Double(goodSearch) <= options.limit(goodSearchMax)
                && answered == searches
        }
    }

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, say: (String) -> Void) throws -> [Verdict]
    {
        let listener = try LoopbackListener()
        let raw = listener.descriptor.raw
        // A thread waits in `accept`, so the socket must be in blocking mode.
        _ = fcntl(raw, F_SETFL, 0)
        _ = try WorkerThread { while true { serve(Glibc.accept(raw, nil, nil)) } }
        return try HostileAnswer.all.indices.map { index in
            let name = HostileAnswer.all[index].name
            say(name)
            var outcome = Outcome()
            for _ in 0..<attemptsMax where !outcome.hasPassed(options) {
                let server = try environment.searchd(
                    accounts: ["kakao", "naver"],
                    bases: ["kakao": "http://127.0.0.1:\(listener.port)"]
                )
                outcome = try attempt(index, server)
                server.kill()
            }
            return Verdict(
                "\(name) does not affect other clients",
                measured: "longest ping \(Unit.milliseconds.text(outcome.ping)) ms, another source answered after "
                    + "\(Unit.milliseconds.text(outcome.goodSearch)) ms, "
                    + "\(outcome.answered) of \(searches) hostile searches answered",
                passed: outcome.hasPassed(options)
            )
        }
    }

    private static func attempt(_ index: Int, _ server: Server) throws -> Outcome {
        let probe = try Probe(server)
        let talk = try server.connect()
        let deadline = Gate.deadline
        for number in 1...searches {
            let search = Wire.search("\(HostileAnswer.query(index)) \(number)", "kakao.blog", #","limit":50"#)
            talk.send(Wire.request(number, "search", search), until: deadline)
        }
        // A response with 100 hits is decoded on the threads that also decode hostile responses. If these threads are
        // blocked, this search is slow.
        let good = Wire.request(1, "search", Wire.search(Words.newSearch(index).query, "naver.blog", #","limit":100"#))
        let start = SystemCall.now
        var outcome = Outcome()
        if Wire.isResult(try server.connect().answer(to: good, within: Gate.answerMax)) {
            outcome.goodSearch = SystemCall.now - start
        }
        outcome.answered = (0..<searches).prefix { _ in talk.line(until: deadline) != nil }.count
        let result = probe.stop()
        outcome.ping = result.isBroken || !server.process.isRunning ? .max : result.latencies.longest
        return outcome
    }

    private static func serve(_ connection: Int32) {
        guard connection >= 0 else { return }
        _ = try? WorkerThread {
            let talk = ServerConnection(owning: connection)
            let deadline = Gate.deadline
            guard let request = talk.line(until: deadline), let answer = HostileAnswer.requested(by: request) else {
                return
            }
            while let field = talk.line(until: deadline), field != [UInt8(ascii: "\r")] {}
            let length = answer.isEndless ? "" : "Content-Length: \(answer.body.count)\r\n"
            let head = "HTTP/1.1 \(answer.head)\r\nContent-Type: application/json\r\nConnection: close\r\n\(length)\r\n"
            talk.send(Array(head.utf8), until: deadline)
            while talk.send(answer.body, until: deadline), answer.isEndless {}
        }
    }
}
