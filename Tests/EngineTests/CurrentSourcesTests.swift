import Catalogue
import SearchModel
import SearchTestSupport
import Testing
import Upstream

@testable import Engine

/// Tests of source editions, which are numbers that change when a source changes.
@Suite struct CurrentSourcesTests {
    private static let catalogue = Catalogue.builtIn()

    private func registry(_ names: String..., base: String? = nil) throws -> SourceRegistry {
        let sources = try names.map { name in
            let source = try #require(SourceName(name).flatMap { Self.catalogue[$0] })
            return ConfiguredSource(source: source, access: AccountAccess(baseURL: base))
        }
        return SourceRegistry(catalogue: Self.catalogue, sources: sources)
    }

    private func key(_ name: String, _ edition: UInt32) throws -> PageKey {
        let query = try #require(SearchQuery("x"))
        let source = try #require(SourceName(name))
        return PageKey(source: source, request: PageRequest(query: query), edition: edition)
    }

    private static func isSame(_ old: ConfiguredSource, _ new: ConfiguredSource) -> Bool {
        old.access.baseURL == new.access.baseURL
    }

    @Test func `an unchanged source keeps its edition number, so its pages are still found`() throws {
        let box = CurrentSources(try registry("itunes.app", "itunes.music"))
        let ended = box.replace(with: try registry("itunes.app"), keepsEdition: Self.isSame)
        #expect(ended.map(\.text) == ["itunes.music"])
        #expect(box.current.all.map(\.edition) == [0])
        #expect(box.source(of: try key("itunes.app", 0)) != nil)
    }

    @Test func `a changed source gets a new edition number, and only some old editions are kept`() throws {
        let box = CurrentSources(try registry("itunes.app"))
        for (edition, base) in [(1, "http://one"), (2, "http://two")] as [(UInt32, String)] {
            let ended = box.replace(with: try registry("itunes.app", base: base), keepsEdition: Self.isSame)
            #expect(ended.count == 1)
            #expect(box.current.all.map(\.edition) == [edition])
        }
        #expect(box.source(of: try key("itunes.app", 0))?.access.baseURL == nil)
        #expect(box.source(of: try key("itunes.app", 1))?.access.baseURL == "http://one")
        #expect(box.source(of: try key("itunes.app", 2))?.access.baseURL == "http://two")
        for number in 0..<CurrentSources.retiredMax {
            _ = box.replace(with: try registry("itunes.app", base: "http://\(number)"), keepsEdition: Self.isSame)
        }
        #expect(box.source(of: try key("itunes.app", 1)) == nil)
        #expect(box.source(of: try key("itunes.app", 2)) != nil)
    }

    @Test func `a source that is removed and added again gets a new edition number`() throws {
        let box = CurrentSources(try registry("itunes.app"))
        _ = box.replace(with: try registry("itunes.music"), keepsEdition: Self.isSame)
        _ = box.replace(with: try registry("itunes.app"), keepsEdition: Self.isSame)
        #expect(box.current.all.map(\.edition) == [2])
        #expect(box.current.all.map(\.profile.edition) == [2])
    }
}
