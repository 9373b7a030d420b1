import JSON
import Testing

@testable import Benchmark

@Suite struct TrafficTests {
    private static let exchanges = (0..<4).map { LoadPart.exchange($0, length: 30...120) }

    private func next(_ traffic: inout Traffic) -> (line: [UInt8], pending: Traffic.Pending) {
        var line: [UInt8] = []
        var pending = Traffic.Pending()
        traffic.appendRequest(to: &line, &pending)
        return (line, pending)
    }

    private func isCorrect(_ traffic: Traffic, _ bytes: [UInt8], _ pending: Traffic.Pending) -> Bool {
        traffic.isCorrect(bytes.span, pending)
    }

    private func isComplete(_ traffic: Traffic, _ bytes: [UInt8]) -> Bool {
        traffic.isComplete(bytes.span, Traffic.Pending())
    }

    private func answer(_ pending: Traffic.Pending, query: String, member: String = "result") -> [UInt8] {
        let id = String(decoding: pending.id, as: UTF8.self)
        return Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"\(member)\":{\"query\":\"\(query)\"}}\n".utf8)
    }

    @Test func `generated requests differ in bytes, ids, spaces and member order`() throws {
        var traffic = Traffic(Self.exchanges)
        var lines: Set<[UInt8]> = []
        var (orders, idLengths, spaces): (Set<[String]>, Set<Int>, Set<Int>) = ([], [], [])
        for number in 0..<2_000 {
            let (line, pending) = next(&traffic)
            lines.insert(line)
            #expect(line.last == UInt8(ascii: "\n"))
            let request = try JSONDocument(Array(line.dropLast())).root
            orders.insert(request.members.map(\.name))
            idLengths.insert(pending.id.count)
            spaces.insert(line.count { $0 == UInt8(ascii: " ") })
            let (params, window) = (try #require(request["params"]), LoadPart.window(number % 4))
            #expect(request["jsonrpc"]?.string == "2.0" && request["method"]?.string == "search")
            #expect(request["id"].map { Array($0.text) } == pending.id)
            #expect(params["query"]?.string == LoadPart.query(number % 4))
            #expect(params["offset"]?.int == window.offset && params["limit"]?.int == window.limit)
            #expect(params["sources"]?[0]?.string == LoadPart.source && params["maxAge"]?.int == 86_400)
            #expect(params["stream"]?.bool != true && [nil, "relevance"].contains(params["sort"]?.string))
        }
        #expect(lines.count == 2_000 && orders.count == 24)
        #expect(idLengths.count > 10 && spaces.count > 5)
    }

    @Test func `a request with a fixed line is sent unchanged, and its answers need no id`() {
        var exchange = Self.exchanges[0]
        exchange.line = Wire.ping
        var traffic = Traffic([exchange])
        for _ in 0..<10 {
            let (line, pending) = next(&traffic)
            #expect(
                line == Wire.ping
                    && isCorrect(
                        traffic,
                        Array("\"query\":\"\(LoadPart.query(0))\" and more than 30 bytes".utf8),
                        pending
                    )
            )
            #expect(!isCorrect(traffic, Array("another query, and more than 30 bytes".utf8), pending))
        }
    }

    @Test func `each request has a different pair of offset and limit`() throws {
        var traffic = Traffic([Exchange(members: [Array(#""query":"a""#.utf8)], length: 1...1)])
        traffic.hasNewWindows = true
        var seen: Set<[Int]> = []
        for _ in 0..<1_100 {
            let params = try #require(JSONDocument(Array(next(&traffic).line.dropLast())).root["params"])
            let (offset, limit) = (params["offset"]?.int ?? 0, params["limit"]?.int ?? 0)
            let isNew = seen.insert([offset, limit]).inserted
            #expect(isNew && offset + limit <= LoadPart.depth)
        }
    }

    @Test func `an answer is correct only if it is a result with the expected id, query and length`() {
        var traffic = Traffic(Self.exchanges)
        let pending = next(&traffic).pending
        let other = next(&traffic).pending
        let right = answer(pending, query: LoadPart.query(0))
        #expect(isCorrect(traffic, right, pending))
        for wrong in [
            answer(other, query: LoadPart.query(0)), answer(pending, query: LoadPart.query(1)),
            answer(pending, query: LoadPart.query(0), member: "error"), Array("{}\n".utf8),
            answer(pending, query: LoadPart.query(0) + String(repeating: "x", count: 100)),
        ] {
            #expect(!isCorrect(traffic, wrong, pending))
        }
    }

    @Test func `an answer is complete at its line feed, or at its exact length if the length is known`() {
        let line = Traffic(Self.exchanges)
        let bulk = Traffic([Exchange(line: Redis.command(["GET", "고"]), length: 10...10)])
        for (traffic, text) in [(line, "{\"id\":1}\n"), (bulk, "$4\r\nab\r\n\r\n")] {
            let bytes = Array(text.utf8)
            for count in bytes.indices { #expect(!isComplete(traffic, Array(bytes[..<count])), "\(text), \(count)") }
            #expect(isComplete(traffic, bytes))
        }
        #expect(Redis.command(["GET", "고"]) == Array("*2\r\n$3\r\nGET\r\n$3\r\n고\r\n".utf8))
        #expect(Redis.answerBytes(4) == "$4\r\nabcd\r\n".utf8.count)
    }

    @Test func `new searches are unique`() {
        var seen: Set<String> = []
        for number in 0..<Words.newSearches {
            let (query, page) = Words.newSearch(number)
            #expect(seen.insert("\(query) \(page)").inserted)
        }
        #expect(seen.count > 100_000)
    }
}
