import Catalogue
import HTTP
import JSON
import SearchModel
import Testing

struct KeylessAPITests {
    private func hit(_ name: String, _ body: String) throws -> Hit {
        try #require(try page(name, body).hits.first)
    }

    @Test func `web pages of Mwmbl and Marginalia are mapped`() throws {
        let first = try hit(
            "mwmbl.web",
            #"{"query":"cat","results":[{"url":"https://cats.example/a","title":"Cats","content":"All about cats.","engine":"mwmbl","score":1}]}"#
        )
        #expect(first.title == "Cats" && first.snippet == "All about cats." && first.url == "https://cats.example/a")
        let answer = try page(
            "marginalia.web",
            #"{"page":1,"pages":3,"results":[{"url":"https://a.example/","title":"A\n\t cat","description":"Text","format":"html","details":[[]]}]}"#
        )
        #expect(answer.hits.first?.title == "A cat")
        #expect(!answer.isEnd)
        let body = #"{"page":3,"pages":3,"results":[{"url":"https://a.example/","title":"A"}]}"#
        #expect(try page("marginalia.web", body, page: 2).isEnd)
    }

    @Test func `a repository and an issue of GitHub are mapped`() throws {
        let repository = try hit(
            "github.repositories",
            #"""
            {"total_count":1,"items":[{"id":42,"full_name":"cat/litter","owner":{"login":"cat","avatar_url":"https://a.example/1.png"},
             "html_url":"https://github.com/cat/litter","description":null,"pushed_at":"2025-05-07T11:05:53Z","stargazers_count":7,"forks_count":0,
             "language":"Swift","license":null,"topics":["pets"],"archived":false,"homepage":""}]}
            """#
        )
        #expect(repository.id == "github.repositories:42")
        #expect(repository.title == "cat/litter" && repository.author == "cat" && repository.snippet == nil)
        #expect(repository.published?.text == "2025-05-07T11:05:53Z")
        #expect(repository.extra("stars") == 7 && repository.extra("language") == "Swift")
        #expect(repository.extra("license") == nil && repository.extra("homepage") == nil)
        let issue = try hit(
            "github.issues",
            #"""
            {"total_count":1,"items":[{"id":1,"number":262,"title":"It purrs","html_url":"https://github.com/cat/litter/issues/262",
             "url":"https://api.github.com/repos/cat/litter/issues/262","user":{"login":"tom"},"state":"open","comments":2,"labels":[{"name":"bug"}],
             "created_at":"2025-05-07T11:05:53Z","body":"Steps:\r\n\r\n1. Purr"}]}
            """#
        )
        #expect(issue.snippet == "Steps: 1. Purr" && issue.extra("repository") == "cat/litter")
        #expect(issue.extra("labels") == ["bug"] && issue.extra("state") == "open")
    }

    @Test func `a question is mapped, and the pause that the API requests is read`() throws {
        let answer = try page(
            "stackexchange.questions",
            #"""
            {"items":[{"question_id":7,"title":"Cat &amp; dog?","body":"<p>How?</p>","link":"http://stackoverflow.com/questions/7/cat",
             "owner":{"display_name":"J&#246;rg"},"tags":["cat"],"score":3,"view_count":33,"answer_count":2,"is_answered":true,"creation_date":1382735501}],
             "has_more":false,"backoff":12,"quota_remaining":9}
            """#
        )
        let question = try #require(answer.hits.first)
        #expect(question.title == "Cat & dog?" && question.snippet == "How?" && question.author == "Jörg")
        #expect(question.url == "https://stackoverflow.com/questions/7/cat")
        #expect(question.extra("answered") == true && question.extra("answers") == 2)
        #expect(answer.isEnd && answer.pause == .seconds(12))
    }

    @Test func `works of Crossref and OpenAlex are mapped`() throws {
        let crossref = try hit(
            "crossref.works",
            #"""
            {"status":"ok","message":{"total-results":1,"items":[{"DOI":"10.5555/ABC","URL":"https://doi.org/10.5555/abc","title":["On <i>Felis</i>"],
             "subtitle":["A study"],"author":[{"given":"Ann","family":"Lee"},{"family":"Kim"}],"abstract":"<jats:p>Cats &amp; more.</jats:p>",
             "published":{"date-parts":[[2022,4]]},"container-title":["Cats"],"publisher":"P","type":"journal-article","is-referenced-by-count":5}]}}
            """#
        )
        #expect(crossref.title == "On Felis: A study" && crossref.snippet == "Cats & more.")
        #expect(crossref.author == "Ann Lee" && crossref.extra("authors") == ["Lee", "Kim"])
        #expect(crossref.published?.text == "2022-04-01T00:00:00Z" && crossref.published?.precision == .month)
        #expect(crossref.extra("doi") == "10.5555/abc" && crossref.extra("citations") == 5)
        let openalex = try hit(
            "openalex.works",
            #"""
            {"meta":{"count":1},"results":[{"id":"https://openalex.org/W1","doi":null,"display_name":"Cats","publication_date":"2022-04-05",
             "authorships":[{"author":{"display_name":"Ann Lee"}}],"primary_location":null,"open_access":{"oa_url":null},"cited_by_count":0}]}
            """#
        )
        #expect(openalex.id == "openalex.works:W1" && openalex.url == "https://openalex.org/W1")
        #expect(openalex.author == "Ann Lee" && openalex.published?.precision == .day)
    }

    @Test func `a paper of arXiv is mapped from XML`() throws {
        let answer = try page(
            "arxiv.papers",
            """
            <?xml version='1.0' encoding='UTF-8'?>
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
              <opensearch:totalResults>1</opensearch:totalResults>
              <entry><id>http://arxiv.org/abs/2202.12139v2</id><title>Cats &amp;
               dogs</title><summary>They &lt; us.</summary><published>2022-02-24T15:05:19Z</published>
               <author><name>Ann</name></author><author><name>Bo</name></author>
               <link href="http://arxiv.org/abs/2202.12139v2" rel="alternate"/><link title="pdf" href="http://arxiv.org/pdf/2202.12139v2"/>
               <category term="cs.SE"/></entry>
              <entry><id>http://arxiv.org/abs/solv-int/9901001v12</id><title>Waves</title></entry>
              <entry><id>http://arxiv.org/abs/solv-int/9901002v1</id><title>Waves again</title></entry>
            </feed>
            """
        )
        #expect(Set(answer.hits.map(\.id)).count == 3 && answer.hits[1].extra("arxiv") == "solv-int/9901001")
        let paper = try #require(answer.hits.first)
        #expect(answer.total == 1 && answer.isEnd)
        #expect(paper.id == "arxiv.papers:2202.12139" && paper.title == "Cats & dogs" && paper.snippet == "They < us.")
        #expect(paper.author == "Ann" && paper.extra("authors") == ["Ann", "Bo"])
        #expect(paper.url == "https://arxiv.org/abs/2202.12139v2")
        #expect(paper.extra("pdf") == "https://arxiv.org/pdf/2202.12139v2" && paper.extra("topics") == ["cs.SE"])
        let request = try source("arxiv.papers").request(for: pageRequest("cat \"dog"), account: AccountAccess())
        #expect(request.url.contains("search_query=all%3A%22cat%22%20AND%20all%3A%22dog%22"))
    }

    @Test func `a recording, an entity, a place and a page of documentation are mapped`() throws {
        let recording = try hit(
            "musicbrainz.recordings",
            #"{"count":1,"recordings":[{"id":"30ed","title":"Cat","length":213000,"artist-credit":[{"name":"A"},{"name":"B"}],"first-release-date":"2022-04","releases":[{"id":"r","title":"Album"}]}]}"#
        )
        #expect(recording.author == "A, B" && recording.extra("duration") == 213 && recording.extra("album") == "Album")
        let entity = try hit(
            "wikidata.entities",
            #"{"search":[{"id":"Q146","title":"Q146","label":"cat","description":"pet","url":"//www.wikidata.org/wiki/Q146"}],"success":1}"#
        )
        #expect(entity.url == "https://www.wikidata.org/wiki/Q146" && entity.title == "cat")
        let place = try hit(
            "openstreetmap.places",
            #"[{"osm_type":"way","osm_id":24,"lat":"53.5","lon":"9.9","display_name":"Cat Café, 1, Hamburg","category":"amenity","type":"cafe"}]"#
        )
        #expect(place.id == "openstreetmap.places:way-24" && place.title == "Cat Café")
        #expect(place.url == "https://www.openstreetmap.org/way/24" && place.extra("latitude")?.double == 53.5)
        #expect(try page("openstreetmap.places", "[]").hits.isEmpty)
        let document = try hit(
            "mdn.pages",
            #"{"documents":[{"mdn_url":"/en-US/docs/Web","title":"Web","summary":"All\n of it","locale":"en-us"}],"metadata":{"total":{"value":1}}}"#
        )
        #expect(document.url == "https://developer.mozilla.org/en-US/docs/Web" && document.snippet == "All of it")
    }

    static let failures = [
        ("arxiv.papers", 503, "Rate exceeded.", "rateLimited"), ("arxiv.papers", 200, "<feed><entry>", "badResponse"),
        ("arxiv.papers", 200, #"{"feed":1}"#, "badResponse"),
        (
            "crossref.works", 400, #"{"status":"failed","message":[{"message":"Sort is not available"}]}"#,
            "invalidParams"
        ),
        ("crossref.works", 429, "<html></html>", "rateLimited"),
        ("github.issues", 403, #"{"message":"You have exceeded a secondary rate limit."}"#, "rateLimited"),
        ("github.issues", 422, #"{"message":"Validation Failed"}"#, "invalidParams"),
        ("marginalia.web", 429, "Daily Limit Exceeded", "quotaExhausted"),
        ("mwmbl.web", 429, #"{"detail":"Monthly quota exceeded: 1000"}"#, "quotaExhausted"),
        ("openstreetmap.places", 403, "<html>Access blocked</html>", "rateLimited"),
        (
            "stackexchange.questions", 400, #"{"error_id":502,"error_name":"throttle_violation","error_message":"x"}"#,
            "rateLimited"
        ),
        ("wikidata.entities", 200, #"{"error":{"code":"nosearch","info":"x"}}"#, "invalidParams"),
    ]

    @Test(arguments: failures)
    func `errors are classified as each service defines them`(
        name: String,
        status: Int,
        body: String,
        kind: String
    ) throws {
        #expect(try failure(name, body, status: status).kind.rawValue == kind)
    }

    @Test(arguments: [("고양이", "ko"), ("猫の家", "ja"), ("cat", "en")])
    func `names are requested in the language of the query`(query: String, language: String) throws {
        let request = try source("wikidata.entities").request(for: pageRequest(query), account: AccountAccess())
        #expect(request.url.contains("&language=\(language)&uselang=\(language)&"))
    }

    @Test func `a token raises the quota of GitHub`() throws {
        let github = try source("github.issues")
        #expect(github.access(with: [])?.quotas.isEmpty == true)
        #expect(github.access(with: ["token"])?.quotas == ["github-minute": 30])
    }
}
