import Catalogue
import JSON
import SearchModel
import Testing

struct ITunesTests {
    private func results(_ results: String) -> String {
        "\n\n\n{\n \"resultCount\":1,\n \"results\": [\n\(results)]\n}\n"
    }

    private func hit(_ name: String, _ result: String) throws -> Hit {
        try #require(try page(name, results(result)).hits.first)
    }

    @Test func `an app is mapped with price, rating and version`() throws {
        let app = try hit(
            "itunes.app",
            #"""
            {"wrapperType":"software","kind":"software","trackId":362057947,"trackName":"카카오톡","description":"사람과 세상\n\n그 이상","sellerName":"Kakao Corp.",
             "artistName":"Kakao","trackViewUrl":"https://apps.apple.com/kr/app/id362057947?uo=4","artworkUrl512":"https://is1-ssl.mzstatic.com/512x512bb.jpg",
             "releaseDate":"2010-03-18T02:41:51Z","price":0.00,"formattedPrice":"무료","currency":"KRW","primaryGenreName":"Social Networking",
             "genres":["소셜 네트워킹","유틸리티"],"averageUserRating":2.98,"userRatingCount":121833,"version":"10.6.5","releaseNotes":"- 고침\n- 더함",
             "currentVersionReleaseDate":"2024-03-08T09:00:00Z","minimumOsVersion":"15.0","fileSizeBytes":"412345678","contentAdvisoryRating":"4+",
             "languageCodesISO2A":["KO","EN"],"bundleId":"com.iwilab.KakaoTalk","screenshotUrls":["https://is1-ssl.mzstatic.com/1.png","ftp://x"]}
            """#
        )
        #expect(app.id == "itunes.app:362057947")
        #expect(app.kind.text == "app")
        #expect(app.snippet == "사람과 세상 그 이상")
        #expect(app.author == "Kakao Corp.")
        #expect(app.published?.text == "2010-03-18T02:41:51Z")
        #expect(app.thumbnail == "https://is1-ssl.mzstatic.com/512x512bb.jpg")
        #expect(app.extra("price")?.double == 0)
        #expect(app.extra("rating")?.double == 2.98)
        #expect(app.extra("ratingCount") == 121_833)
        #expect(app.extra("bytes") == 412_345_678)
        #expect(app.extra("screenshots") == ["https://is1-ssl.mzstatic.com/1.png"])
        #expect(app.extra("releaseNotes") == "- 고침 - 더함")
        #expect(app.extra("updated") == "2024-03-08T09:00:00Z")
    }

    @Test func `a song is mapped with album, duration and price`() throws {
        let song = try hit(
            "itunes.music",
            #"""
            {"wrapperType":"track","kind":"song","trackId":1,"collectionId":2,"trackName":"Cat","artistName":"Dog","collectionName":"Album",
             "trackViewUrl":"https://music.apple.com/1","artworkUrl100":"https://is1-ssl.mzstatic.com/a/100x100bb.jpg","previewUrl":"https://audio.example.com/1.m4a",
             "trackTimeMillis":210500,"trackPrice":-1,"currency":"USD","trackNumber":3,"discNumber":1,"trackExplicitness":"explicit","primaryGenreName":"Rock"}
            """#
        )
        #expect(song.extra("duration") == 211)
        #expect(song.extra("price") == nil)
        #expect(song.extra("explicit") == true)
        #expect(song.extra("album") == "Album")
        #expect(song.extra("image") == "https://is1-ssl.mzstatic.com/a/600x600bb.jpg")
        #expect(song.extra("preview") == "https://audio.example.com/1.m4a")
        #expect(song.extra("track") == 3)
    }

    @Test func `an album, a podcast, a book and a film are mapped`() throws {
        let album = try hit(
            "itunes.album",
            #"{"collectionId":7,"collectionName":"A","collectionViewUrl":"https://x.example/1","trackCount":9,"collectionExplicitness":"notExplicit"}"#
        )
        #expect(album.id == "itunes.album:7")
        #expect(album.extra("tracks") == 9)
        #expect(album.extra("explicit") == false)
        let podcast = try hit(
            "itunes.podcast",
            #"{"collectionId":8,"collectionName":"P","feedUrl":"https://x.example/feed","trackCount":100}"#
        )
        #expect(podcast.id == "itunes.podcast:8")
        #expect(podcast.extra("feed") == "https://x.example/feed")
        #expect(podcast.extra("episodes") == 100)
        let book = try hit(
            "itunes.ebook",
            #"{"trackId":9,"trackName":"B","description":"<b>Bold</b><br/>words &amp; more","genres":["Fiction","Books"]}"#
        )
        #expect(book.snippet == "Bold words & more")
        #expect(book.snippetMarks.isEmpty)
        #expect(book.extra("genre") == "Fiction")
        let film = try hit(
            "itunes.movie",
            #"{"trackId":10,"trackName":"F","shortDescription":"s","trackTimeMillis":"6000000","trackRentalPrice":3.99}"#
        )
        #expect(film.snippet == "s")
        #expect(film.extra("duration") == 6000)
        #expect(film.extra("rentalPrice")?.double == 3.99)
    }

    private func page(_ name: String, _ body: String) throws -> Page {
        try source(name).page(
            from: response(body, [("Content-Type", "text/javascript")]),
            for: pageRequest("cat"),
            account: AccountAccess()
        )
    }

    @Test(arguments: [
        (200, "<html>Your request produced an error. [newNullResponse]</html>", "unavailable", true),
        (200, "<html>something else</html>", "badResponse", true), (200, #"{"resultCount":0}"#, "badResponse", true),
        (200, "\n\n\n", "badResponse", true),
    ])
    func `error responses that the mock server never sends have the expected error kind`(
        _ status: Int,
        _ body: String,
        _ kind: String,
        _ retryable: Bool
    ) throws {
        let error = try failure("itunes.music", body, status: status)
        #expect(error.kind.rawValue == kind)
        #expect(error.retryable == retryable)
    }
}
