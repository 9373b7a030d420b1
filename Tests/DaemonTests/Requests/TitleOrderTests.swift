import Hangul
import JSON
import Testing

/// Tests sorting by title in the daemon, for sources that cannot sort by title.
@Suite struct TitleOrderTests {
    private static let first = #"{"query":"고양이","sort":"title","sources":["kakao.blog"],"limit":20}"#

    private static func titles(_ answer: JSONValue) -> [String] {
        (answer["result"]?["hits"]?.array ?? []).compactMap { $0["title"]?.string }
    }

    @Test func `a list sorted by title costs four calls, and later pages continue the list`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            var answer = try client.call("search", Self.first)
            #expect(await daemon.requests() == 4)
            let sorted = try #require(answer.source("kakao.blog")?["sorted"]?.int)
            #expect(answer.source("kakao.blog")?["sortedBy"] == "daemon")
            var (titles, ids) = (Self.titles(answer), answer.hitIDs)
            while titles.count < sorted + 20, let next = answer["result"]?["next"]?.string {
                let params = #"{"query":"고양이","sort":"title","sources":["kakao.blog"],"limit":20,"cursor":"\#(next)"}"#
                answer = try client.call("search", params)
                #expect(answer.source("kakao.blog")?["sorted"]?.int == sorted)
                titles += Self.titles(answer)
                ids += answer.hitIDs
            }
            #expect(titles.count == sorted + 20 && Set(ids).count == ids.count)
            let order = titles.prefix(sorted).map { TitleOrder($0) }
            #expect(zip(order, order.dropFirst()).allSatisfy { !($1 < $0) })
            #expect(await daemon.requests() == 5)
        }
    }

    @Test func `calls made only for sorting leave the last tenth of a quota unused`() async throws {
        try await withDaemon { setup in
            setup.members = #"sources: { "kakao.blog": { limits: { perDay: 20 } } },"#
        } _: { daemon in
            let client = try daemon.connect()
            for number in 0..<16 {
                _ = try client.call("search", #"{"query":"\#(number)번","sources":["kakao.blog"]}"#)
            }
            let answer = try client.call("search", Self.first)
            #expect(answer["result"]?["complete"] == true && answer.hitIDs.count == 20)
            #expect(await daemon.requests() == 18)
            #expect(answer.source("kakao.blog")?["status"] == "ok")
            #expect(answer.source("kakao.blog")?["sorted"]?.int == 100)
            let list = try client.call("source/list")
            let blog = list["result"]?["sources"]?.array?.first { $0["source"] == "kakao.blog" }
            let quotas = blog?["quota"]?.array ?? []
            #expect(quotas.contains { $0["limit"] == 20 && $0["left"] == 2 }, "\(quotas)")
        }
    }
}
