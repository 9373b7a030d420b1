import HTTP
import JSON
import Sandbox
import SearchModel
import Testing

@testable import Catalogue

/// Pages of every source, read in two parts.
struct HitReaderTests {
    private static let names = builtIn.sources.keys.map(\.text).sorted()

    private func text(_ hit: Hit) -> String {
        var writer = JSONWriter()
        hit.write(to: &writer, withRaw: true)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// An answer of the sandbox, with things among its hits that are none.
    private func answer(of source: Source) throws -> HTTPResponse {
        var upstream = SandboxUpstream { $0.quirks.totalsDrift = false }
        var response = upstream.send(try source.request(for: pageRequest("고양이"), account: upstream.account(source)))
        let text = String(decoding: response.body, as: UTF8.self)
        response.body = Array(text.split(separator: "},{", maxSplits: 2).joined(separator: "}, 5 ,{").utf8)
        return response
    }

    @Test(arguments: names)
    func `a page read in parts has the hits of the page read at once`(_ name: String) throws {
        let source = try source(name)
        let response = try answer(of: source)
        let request = try pageRequest("고양이")
        let whole = try source.page(from: response, for: request, account: AccountAccess(), keepRaw: true)
        #expect(whole.unread == nil)
        for count in [1, 2, 3, whole.hits.count - 1, whole.hits.count, whole.hits.count + 1] where count > 0 {
            let page = try source.page(
                from: response,
                for: request,
                account: AccountAccess(),
                keepRaw: true,
                hitsWanted: count
            )
            #expect(page.total == whole.total && page.isEnd == whole.isEnd && page.reachable == whole.reachable)
            #expect(page.hits.map(text) == whole.hits.prefix(count).map(text))
            let list = [UInt8(ascii: "[")] + (page.unread?.documents ?? []) + [UInt8(ascii: "]")]
            let rest = page.unread?.reader.hits(of: list, firstRank: page.unread?.firstRank ?? 0) ?? []
            #expect(rest.map(text) == whole.hits.dropFirst(count).map(text))
            #expect(rest.allSatisfy { list[$0.raw.indices] == $0.raw })
        }
    }

    @Test func `a page whose documents are not kept is read at once`() throws {
        let source = try source("kakao.blog")
        let page = try source.page(
            from: try answer(of: source),
            for: try pageRequest("고양이"),
            account: AccountAccess(),
            hitsWanted: 1
        )
        #expect(page.unread == nil && page.hits.count > 1)
    }

    @Test(arguments: ["", "[", "{}", "null", "[1,]"]) func `what is no list has no hits`(_ list: String) throws {
        #expect(try source("kakao.blog").hitReader.hits(of: Array(list.utf8), firstRank: 1).isEmpty)
    }
}
