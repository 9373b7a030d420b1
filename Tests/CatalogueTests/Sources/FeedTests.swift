import HTTP
import SearchModel
import Testing

@testable import Catalogue

struct FeedTests {
    private func source(_ address: String = "https://www.cats.example/feed.xml?a=1#top") throws -> Source {
        var catalogue = Catalogue()
        let name = try #require(SourceName("feed.cats"))
        try catalogue.addFeed(name, at: address, trust: .user)
        return try catalogue.source(named: name)
    }

    private func page(_ body: String, query: String = "cat") throws -> Page {
        let source = try source()
        return try source.page(from: response(body), for: pageRequest(query), account: AccountAccess())
    }

    @Test func `the address of a feed is fetched without its fragment`() throws {
        let request = try source().request(for: pageRequest("cat"), account: AccountAccess())
        #expect(request.url == "https://www.cats.example/feed.xml?a=1")
        #expect(
            try source("https://cats.example").request(for: pageRequest("cat"), account: AccountAccess()).url
                == "https://cats.example/"
        )
        #expect(try source().isSearchedHere && source().attribution == "www.cats.example")
    }

    @Test(arguments: ["cats.example", "http://cats.example/a", "https://localhost/a", "ftp://cats.example/"])
    func `an address without https or without a public host is refused`(address: String) {
        #expect(throws: CatalogueMistakes.self) { try source(address) }
    }

    @Test func `an Atom feed is mapped, and hits without the words of the query are dropped`() throws {
        let page = try page(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>Cats</title>
             <entry><title type="html">A &lt;b&gt;cat&lt;/b&gt;</title><link rel="edit" href="/edit"/>
              <link rel="alternate" href="/1"/><updated>2024-03-09T11:51:51Z</updated><author><name>Ann</name></author>
              <summary>About it, says ann@cats.example.</summary></entry>
             <entry><title>A dog</title><link href="https://dogs.example/2"/><published>2024-03-08</published></entry>
             <entry><title>Another</title><link href="/3"/><content type="html">&lt;p&gt;Cats&lt;/p&gt;</content></entry>
            </feed>
            """
        )
        #expect(page.hits.map(\.title) == ["A cat", "Another"] && page.isEnd && page.total == 2)
        let hit = try #require(page.hits.first)
        #expect(hit.url == "https://www.cats.example/1" && hit.author == "Ann")
        #expect(hit.snippet == "About it, says ‹e-mail›." && hit.published?.text == "2024-03-09T11:51:51Z")
        #expect(page.hits.last?.snippet == "Cats" && page.hits.last?.url == "https://www.cats.example/3")
    }

    @Test func `an RSS feed is mapped`() throws {
        let page = try page(
            """
            <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Katzen</title>
             <item><title>고양이 카페</title><link>https://cats.example/1</link><dc:creator>Ann</dc:creator>
              <pubDate>Sat, 09 Mar 2024 11:51:51 +0900</pubDate><description><![CDATA[<p>커피 &amp; 고양이</p>]]></description></item>
             <item><title>강아지</title><guid isPermaLink="true">https://cats.example/2</guid></item>
            </channel></rss>
            """,
            query: "커피 고양이"
        )
        let hit = try #require(page.hits.first)
        #expect(page.hits.count == 1 && hit.title == "고양이 카페" && hit.snippet == "커피 & 고양이")
        #expect(hit.author == "Ann" && hit.published?.text == "2024-03-09T11:51:51+09:00")
    }

    @Test func `a document that is not a feed is refused`() throws {
        let error = try #require(throws: SearchError.self) { try page("<html><body/></html>") }
        #expect(error.kind == .badResponse && error.message.contains("there are: html"))
    }
}
