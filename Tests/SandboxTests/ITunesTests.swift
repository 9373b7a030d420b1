import HTTP
import JSON
import Testing

@testable import Sandbox

@Suite struct ITunesTests {
    static let kinds: [(kind: ITunesKind, query: String, wrapper: String?, name: String?)] = [
        (.app, "media=software", "software", "software"), (.song, "media=music", "track", "song"),
        (.album, "media=music&entity=album", "collection", nil), (.podcast, "media=podcast", "track", "podcast"),
        (.ebook, "media=ebook", nil, "ebook"), (.movie, "media=movie", "track", "feature-movie"),
    ]

    func asker(_ change: (inout SandboxOptions) -> Void = { $0.limits = .none }) -> Asker {
        var options = SandboxOptions()
        change(&options)
        return Asker(options: options)
    }

    @Test func `the answer is called JavaScript and begins with empty lines`() {
        var asker = asker()
        let response = asker.get("/search?term=cat&media=music")
        #expect(response.fields["Content-Type"] == "text/javascript; charset=utf-8")
        #expect(response.text.hasPrefix("\n\n\n{"))
        #expect((47...50).contains(response.json["resultCount"]?.int ?? 0))
        #expect(response.json["resultCount"]?.int == response.json["results"]?.array?.count)
        let callback = asker.get("/search?term=cat&limit=1&callback=show").text
        #expect(callback.hasPrefix("\n\n\nshow(") && callback.hasSuffix(");"))
    }

    @Test(arguments: kinds.indices)
    func `one call brings everything that can be had of a kind`(index: Int) {
        let (kind, query, wrapper, name) = Self.kinds[index]
        var asker = asker()
        let results = asker.json("/search?term=\("고양이".encoded)&limit=200&country=KR&\(query)")["results"]?.array ?? []
        let truth = asker.responder.truth(of: kind.source, query: "고양이", at: asker.now)
        let id = kind == .album ? "collectionId" : "trackId"
        #expect(results.compactMap { $0[id]?.int.map { String($0) } } == truth?.ids)
        #expect((197...200).contains(results.count))
        #expect(results.allSatisfy { $0["wrapperType"]?.string == wrapper && $0["kind"]?.string == name })
        #expect(results.allSatisfy { $0["artworkUrl100"]?.string?.hasSuffix("/100x100bb.jpg") == true })
        #expect(results.allSatisfy { $0["currency"] == "KRW" && $0["releaseDate"]?.string?.hasSuffix("Z") == true })
    }

    @Test func `an id is the same in every country and leads back to its record`() throws {
        var asker = asker()
        for (kind, query, _, _) in Self.kinds {
            let id = kind == .album ? "collectionId" : "trackId"
            let korean = asker.json("/search?term=cat&country=KR&limit=3&\(query)")["results"]?[2]
            let american = asker.json("/search?term=cat&limit=3&\(query)")["results"]?[2]
            #expect(korean?[id] == american?[id])
            #expect(korean?["currency"] == "KRW" && american?["currency"] == "USD")
            let number = try #require(korean?[id]?.int)
            #expect(asker.json("/lookup?id=\(number)&country=KR")["results"] == [try #require(korean)])
        }
        let app = asker.json("/search?term=cat&media=software&limit=1")["results"]?[0]
        let bundle = try #require(app?["bundleId"]?.string)
        #expect(asker.json("/lookup?bundleId=\(bundle)")["results"]?[0] == app)
    }

    @Test func `lookup takes several ids, adds related records, and finds nothing for unknown ones`() throws {
        var asker = asker()
        let songs = asker.json("/search?term=cat&media=music&limit=2")["results"]?.array ?? []
        let ids = songs.compactMap { $0["trackId"]?.int.map { String($0) } }
        #expect(asker.json("/lookup?id=\(ids.joined(separator: ","))")["results"]?.array == songs)
        let related = asker.json("/lookup?id=\(ids[0])&entity=album&limit=3")["results"]?.array ?? []
        #expect(related.count == 4)
        #expect(related[0] == songs[0] && related[1]["wrapperType"] == "collection")
        #expect(asker.json("/lookup?id=12")["resultCount"] == 0)
        #expect(asker.json("/lookup")["resultCount"] == 0)
    }

    @Test(arguments: [
        ("country=PR", "[country]"), ("country=uk", "[country]"), ("entity=spaceship", "[resultEntity]"),
        ("media=music&entity=software", "[resultEntity]"), ("attribute=smellTerm", "[attributeType]"),
        ("media=opera", "[mediaType]"),
    ])
    func `a wrong value is refused without results`(query: String, key: String) {
        var asker = asker()
        let response = asker.get("/search?term=cat&\(query)")
        #expect(response.status == 400)
        #expect(response.json["errorMessage"]?.string == "Invalid value(s) for key(s): \(key)")
        #expect(response.json["results"] == nil)
        #expect((response.json["queryParameters"] == nil) == (key == "[country]"))
    }

    @Test func `a minute has twenty calls, and then an empty 403 or a 429`() {
        var asker = asker { _ in }
        let statuses = (0..<21).map { _ in asker.get("/search?term=cat&limit=1").status }
        #expect(statuses == Array(repeating: 200, count: 20) + [403])
        #expect(asker.get("/search?term=cat").body.isEmpty)
        asker.responder.options.quirks.itunesThrottleIs429 = true
        #expect(asker.get("/search?term=cat").status == 429)
        asker.now += 60 * second
        #expect(asker.get("/search?term=cat").status == 200)
    }

    @Test func `the offset is ignored`() {
        var asker = asker()
        let first = asker.get("/search?term=cat&limit=25")
        #expect(asker.get("/search?term=cat&limit=25&offset=75") == first)
    }

    @Test func `nonsense brings a few unrelated apps, and nothing of other kinds`() {
        var asker = asker()
        let apps = asker.json("/search?term=zxqvkjw&media=software")["results"]?.array ?? []
        #expect((1...3).contains(apps.count))
        #expect(asker.json("/search?term=zxqvkjw&media=music")["resultCount"] == 0)
        #expect(asker.json("/search?media=software")["resultCount"] == 0)
        asker.responder.options.quirks.itunesUnrelated = false
        #expect(asker.json("/search?term=zxqvkjw&media=software")["resultCount"] == 0)
    }

    @Test func `apps and songs have their odd values`() {
        var asker = asker()
        let apps = asker.json("/search?term=cat&media=software&limit=200")["results"]?.array ?? []
        #expect(apps.allSatisfy { Int($0["fileSizeBytes"]?.string ?? "") != nil })
        #expect(apps.contains { $0["price"] == 0 } && apps.contains { ($0["price"]?.double ?? 0) > 0 })
        #expect(apps.contains { $0["releaseNotes"] == nil })
        let songs = asker.json("/search?term=cat&media=music&limit=200")["results"]?.array ?? []
        #expect(songs.contains { $0["trackPrice"] == -1 } && songs.contains { $0["trackPrice"] == nil })
        #expect(songs.allSatisfy { $0["country"] == "USA" })
        let books = asker.json("/search?term=cat&media=ebook&limit=50")["results"]?.array ?? []
        #expect(books.allSatisfy { $0["description"]?.string?.hasPrefix("<p>") == true })
    }

    @Test func `limits out of range become the nearest that is possible`() {
        var asker = asker()
        #expect((197...200).contains(asker.json("/search?term=cat&limit=1000")["resultCount"]?.int ?? 0))
        #expect((47...50).contains(asker.json("/search?term=cat&limit=0")["resultCount"]?.int ?? 0))
    }
}
