import Catalogue
import JSON
import SearchModel
import Testing

struct WikipediaTests {
    private func answer(_ more: String = "") -> String {
        #"""
        {"batchcomplete":"",\#(more)"query":{"searchinfo":{"totalhits":12345},"search":[
         {"ns":0,"title":"AC/DC & 고양이?","pageid":42,"size":1234,"wordcount":99,"snippet":"a <span class=\"searchmatch\">고양이</span> is &quot;it&quot;","timestamp":"2024-03-09T11:51:51Z"}]}}
        """#
    }

    @Test func `an article is mapped`() throws {
        let page = try page("wikipedia.ko", answer(#""continue":{"sroffset":100,"continue":"-||"},"#))
        let hit = try #require(page.hits.first)
        #expect(!page.isEnd)
        #expect(page.total == 12345)
        #expect(page.reachable == 10_000)
        #expect(hit.id == "wikipedia.ko:42")
        #expect(hit.title == "AC/DC & 고양이?")
        #expect(hit.snippet == "a 고양이 is \"it\"")
        #expect(hit.snippetMarks == [2..<5])
        #expect(hit.url == "https://ko.wikipedia.org/wiki/AC/DC_%26_%EA%B3%A0%EC%96%91%EC%9D%B4%3F")
        #expect(hit.extra("words") == 99)
    }

    @Test func `a page of Wikipedia is the last if it has no “continue” or reaches the page limit`() throws {
        #expect(try page("wikipedia.en", answer()).isEnd)
        #expect(try !page("wikipedia.en", answer(#""query-continue":{"search":{"sroffset":100}},"#)).isEnd)
        #expect(try page("wikipedia.en", answer(#""continue":{"sroffset":100},"#), page: 99).isEnd)
    }

    @Test(arguments: [
        ("ratelimited", "rateLimited"), ("internal_api_error_DBQueryError", "unavailable"),
    ])
    func `a response with status 200 can contain an error`(_ code: String, _ kind: String) throws {
        let error = try failure(
            "wikipedia.en",
            #"{"error":{"code":"\#(code)","info":"words","*":"x"},"servedby":"mw1"}"#,
            status: 200
        )
        #expect(error.kind.rawValue == kind)
        #expect(error.message.hasSuffix("words"))
    }

    @Test func `the wait that the server requests is read from Retry-After`() throws {
        #expect(try failure("wikipedia.en", "", status: 429, [("Retry-After", "7")]).retryAfter == .seconds(7))
        let dated = [("Date", "Sat, 09 Mar 2024 11:51:51 GMT"), ("Retry-After", "Sat, 09 Mar 2024 11:52:01 GMT")]
        #expect(try failure("wikipedia.en", "", status: 503, dated).retryAfter == .seconds(10))
        #expect(
            try failure("wikipedia.en", "", status: 503, [("Retry-After", "99999999999")]).retryAfter
                == .seconds(86_400)
        )
        #expect(try failure("wikipedia.en", "", status: 503, [("Retry-After", "-1")]).retryAfter == nil)
    }
}

struct OpenLibraryTests {
    @Test func `a work is mapped`() throws {
        let page = try page(
            "openlibrary.books",
            #"""
            {"numFound":101,"start":0,"numFoundExact":true,"docs":[
             {"key":"/works/OL45804W","title":"Cats","subtitle":"A Tale","author_name":["A","B"],"first_publish_year":1984,"cover_i":8739161,
              "isbn":["1234567890","9788937460449","8937460440"],"publisher":["P","Q"],"language":["eng","kor"],"edition_count":3,"ratings_average":4.1,
              "ratings_count":12,"first_sentence":["It was.","x"],"number_of_pages_median":99,"subject":["1","2","3","4","5","6"],"ebook_access":"borrowable"},
             {"key":"/works/OL2W","title":"No cover","cover_i":-1}]}
            """#
        )
        let work = try #require(page.hits.first)
        #expect(page.total == 101 && !page.isEnd)
        #expect(work.id == "openlibrary.books:OL45804W")
        #expect(work.title == "Cats: A Tale")
        #expect(work.url == "https://openlibrary.org/works/OL45804W")
        #expect(work.published?.precision == .year)
        #expect(work.thumbnail == "https://covers.openlibrary.org/b/id/8739161-M.jpg")
        #expect(work.snippet == "It was.")
        #expect(work.extra("isbn10") == "8937460440")
        #expect(work.extra("isbn13") == "9788937460449")
        #expect(work.extra("publisher") == "P")
        #expect(work.extra("genres")?.array?.count == 5)
        #expect(page.hits.last?.thumbnail == nil)
        #expect(page.hits.last?.extra.isEmpty == true)
    }
}

struct HackerNewsTests {
    @Test func `a story without an address gets the address of its discussion`() throws {
        let page = try page(
            "hackernews.stories",
            #"""
            {"hits":[
             {"objectID":"1","created_at":"2024-03-09T11:51:51.000Z","created_at_i":1709985111,"title":"Cats &amp; dogs","url":"https://example.org/cats","author":"pg",
              "points":100,"story_text":null,"num_comments":7,"_tags":["story"],"_highlightResult":{"title":{"value":"<em>Cats</em> &amp; dogs","matchLevel":"full"}}},
             {"objectID":"2","created_at":"2024-03-09T11:51:51.000Z","title":"Ask HN: cats?","url":"","author":"x","points":null,"num_comments":null,
              "story_text":"<p>I&#x27;ve two.<p>You&#x2F;they?"}],
             "nbHits":1700,"page":0,"nbPages":9,"hitsPerPage":100}
            """#
        )
        let story = try #require(page.hits.first)
        #expect(page.reachable == 900 && !page.isEnd)
        #expect(story.title == "Cats & dogs")
        #expect(story.titleMarks == [0..<4])
        #expect(story.published?.text == "2024-03-09T11:51:51Z")
        #expect(story.extra("points") == 100)
        #expect(story.extra("discussion") == "https://news.ycombinator.com/item?id=1")
        let ask = try #require(page.hits.last)
        #expect(ask.url == "https://news.ycombinator.com/item?id=2")
        #expect(ask.snippet == "I've two. You/they?")
        #expect(ask.published?.text == "2024-03-09T11:51:51Z")
        #expect(ask.extra("points") == nil)
    }

    @Test func `text in angle brackets is kept, even if the brackets in the highlights are not escaped`() throws {
        let page = try page(
            "hackernews.stories",
            #"""
            {"hits":[
             {"objectID":"1","title":"Array<T> in <Swift>","url":"https://example.org/","story_text":"Use Array&lt;T&gt; &amp; not swift arrays.<p>Swift!",
              "_highlightResult":{"title":{"value":"Array<T> in <<em>Swift</em>>"},
               "story_text":{"value":"Use Array<T> & not <em>swift</em> arrays.<p><em>Swift</em>!"}}},
             {"objectID":"2","title":"No highlight","story_text":"text"}],
             "nbHits":2,"page":0,"nbPages":1,"hitsPerPage":100}
            """#
        )
        let hit = try #require(page.hits.first)
        #expect(hit.title == "Array<T> in <Swift>" && hit.titleMarks == [13..<18])
        #expect(hit.snippet == "Use Array<T> & not swift arrays. Swift!")
        #expect(hit.snippetMarks == [19..<24, 33..<38])
        #expect(page.hits.last?.snippet == "text" && page.hits.last?.snippetMarks == [])
    }

    @Test func `the page count determines the last page`() throws {
        let body = #"{"hits":[{"objectID":"1","title":"x"}],"nbHits":1700,"page":8,"nbPages":9,"hitsPerPage":100}"#
        #expect(try page("hackernews.stories", body, page: 8).isEnd)
        #expect(try !page("hackernews.stories", body, page: 7).isEnd)
    }
}
