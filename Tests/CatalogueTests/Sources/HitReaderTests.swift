import HTTP
import Sandbox
import SearchModel
import Testing

@testable import Catalogue

/// Documents that were kept, read again.
struct HitReaderTests {
    private static let names = builtIn.sources.keys.map(\.text).sorted()

    /// An answer of the sandbox, with things among its hits that are none.
    private func answer(of source: Source) throws -> HTTPResponse {
        var upstream = SandboxUpstream { $0.quirks.totalsDrift = false }
        var response = upstream.send(try source.request(for: pageRequest("고양이"), account: upstream.account(source)))
        let text = String(decoding: response.body, as: UTF8.self)
        response.body = Array(text.split(separator: "},{", maxSplits: 2).joined(separator: "}, 5 ,{").utf8)
        return response
    }

    @Test(arguments: names)
    func `the documents that a page keeps are read again as the same hits`(_ name: String) throws {
        let source = try source(name)
        let page = try source.page(
            from: try answer(of: source),
            for: try pageRequest("고양이"),
            account: AccountAccess(),
            keepRaw: true
        )
        let list = Array("[\(page.hits.map { String(decoding: $0.raw, as: UTF8.self) }.joined(separator: ","))]".utf8)
        let again = source.hitReader.hits(of: list, firstRank: 1)
        #expect(again.map(\.id) == page.hits.map(\.id) && again.allSatisfy { list[$0.raw.indices] == $0.raw })
    }

    @Test(arguments: ["", "[", "{}", "null", "[1,]"]) func `what is no list has no hits`(_ list: String) throws {
        #expect(try source("kakao.blog").hitReader.hits(of: Array(list.utf8), firstRank: 1).isEmpty)
    }
}
