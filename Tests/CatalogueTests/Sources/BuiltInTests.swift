import HTTP
import SearchModel
import Testing

@testable import Catalogue

struct BuiltInTests {
    @Test(arguments: BuiltInFiles.all.map(\.name))
    func `a built-in file loads`(_ name: String) throws {
        var catalogue = Catalogue()
        for file in BuiltInFiles.all {
            do throws(CatalogueMistakes) {
                try catalogue.add(file: file.name, bytes: file.bytes, trust: .builtIn)
            } catch {
                if file.name == name { Issue.record("\(error.all)") }
            }
            if file.name == name { break }
        }
    }

    @Test func `every source of the issue is there`() {
        let names = """
            google.books hackernews.stories itunes.album itunes.app itunes.ebook itunes.movie itunes.music itunes.podcast
            kakao.blog kakao.book kakao.cafe kakao.image kakao.video kakao.web naver.blog naver.cafe naver.encyc naver.image
            naver.kin naver.local naver.news naver.web openlibrary.books wikipedia.de wikipedia.en wikipedia.es wikipedia.fr
            wikipedia.ja wikipedia.ko wikipedia.zh
            """
        #expect(
            builtIn.sources.keys.map(\.text).sorted() == names.split { $0.isWhitespace }.map(String.init)
        )
        #expect(builtIn.retired.keys.map(\.text).sorted() == ["naver.book", "naver.doc", "naver.shop"])
    }

    @Test func `every path, sort and limit of every source is usable`() throws {
        for source in builtIn.sources.values {
            var account = AccountAccess()
            for slot in source.secrets { account.secrets[slot.name] = Secret("s") }
            for sort in Sort.allCases {
                let request = try source.request(for: pageRequest("고양이", sort), account: account)
                #expect(request.url.hasPrefix(try #require(source.access.first).base + "/"))
                #expect(!request.url.contains("{"))
            }
            #expect(source.attribution != nil)
            #expect(source.keyless == source.secrets.isEmpty)
        }
    }
}
