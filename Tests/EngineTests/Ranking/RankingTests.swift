import JSON
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Engine

struct RankingTests {
    private struct Listing {
        var profile: SourceProfile
        var hits: [Hit]
    }

    private func listing(
        _ name: String,
        _ titles: [String],
        weight: Double = 1,
        halfLife: Duration? = nil,
        languages: [String] = [],
        _ change: (inout Hit) -> Void = { _ in }
    ) -> Listing {
        var source = profile(name, weight: weight)
        source.halfLife = halfLife
        source.languages = languages
        let hits = titles.enumerated().map { number, title in
            var made = hit(name, number, title: title)
            change(&made)
            return made
        }
        return Listing(profile: source, hits: hits)
    }

    private func walk(_ text: String, _ listings: [Listing], now: Int64 = 0) -> Walk {
        var walk = Walk(request(listings.map(\.profile), query: text, limit: 1000), now: now)
        for listing in listings {
            let key = pageKey(listing.profile.name.text, query: text)
            walk.received(cachedPage(Page(hits: listing.hits, isEnd: true), key: key))
        }
        walk.merge(upTo: 1000, without: [])
        return walk
    }

    private func titles(_ text: String, _ listings: Listing..., now: Int64 = 0) -> [String] {
        walk(text, listings, now: now).merged.map(\.entry.title)
    }

    @Test func `a hit whose title matches better comes first`() {
        let order = ["고양이 사료", "고양이 사료 고르는 법", "우리집 고양이 사료", "사료를 고양이에게", "고양이 간식", "강아지 산책"]
        for offset in order.indices {
            let shuffled = order[offset...] + order[..<offset]
            let listings = shuffled.enumerated().map { listing("s.n\($0)", [$1]) }
            #expect(walk("고양이 사료", listings).merged.map(\.entry.title) == order)
        }
    }

    @Test func `a hit with all words in title and snippet comes before a hit with some words in the title`() {
        let one = listing("a.one", ["고양이 돌보기"])
        let two = listing("b.two", ["오늘의 추천"]) { $0.snippet = "고양이 사료 다섯 가지를 \"비교\"했다" }
        #expect(titles("고양이 사료", one, two) == ["오늘의 추천", "고양이 돌보기"])
    }

    @Test func `a title with all words comes before hits with some words, regardless of rank and weight`() {
        let cafe = listing("a.cafe", ["가입 인사", "초보 캠핑 의자 추천", "캠핑 의자 수리"], weight: 0.5)
        let web = listing("b.web", ["추천 상품 모음", "캠핑 장터", "의자 공장"], weight: 4)
        let books = listing("c.books", ["캠핑의 기술", "의자의 역사"], weight: 2) { $0.snippet = "추천 도서" }
        let order = titles("캠핑 의자 추천", web, books, cafe)
        #expect(order.first == "초보 캠핑 의자 추천")
        #expect(order[1] != "캠핑 의자 수리" && order.last == "가입 인사")
    }

    @Test func `articles and prepositions are not needed for a complete match`() {
        let one = listing("a.one", ["Cancel tasks in Python"])
        let two = listing("b.two", ["How to cook in the wild"])
        #expect(titles("how to cancel tasks in python", two, one).first == "Cancel tasks in Python")
        let band = listing("a.one", ["The Who"])
        #expect(titles("the who", listing("b.two", ["Who is it"]), band).first == "The Who")
    }

    @Test func `a source for programming comes first for queries about programming`() {
        func pages() -> [Listing] {
            var questions = listing("a.questions", ["How do swift actors work?"])
            questions.profile.kind = kind("question")
            return [listing("b.web", ["swift actors"], weight: 1.3), questions]
        }
        #expect(walk("swift actors", pages()).merged.first?.source.text == "a.questions")
        #expect(walk("swift", pages()).merged.first?.source.text == "b.web")
    }

    @Test func `a title with an addition in brackets comes before a title with more words`() {
        let other = listing("a.one", ["Swift streams of Wales"])
        let language = listing("b.two", ["Swift (programming language)"])
        #expect(titles("swift", other, language) == ["Swift (programming language)", "Swift streams of Wales"])
    }

    @Test func `a match in the author counts more than a match in the snippet`() {
        let book = listing("a.one", ["소년이 온다"]) { $0.author = "한강" }
        let other = listing("b.two", ["소년이 온다고 했다"]) { $0.snippet = "한강에서 소년이 온다" }
        #expect(titles("한강 소년이 온다", other, book) == ["소년이 온다", "소년이 온다고 했다"])
    }

    @Test func `a shorter title with the query comes before a longer title`() {
        let long = listing("a.one", ["swift 언어로 서버를 만드는 방법을 처음부터 끝까지"])
        let short = listing("b.two", ["swift 언어"])
        #expect(titles("swift", long, short) == ["swift 언어", "swift 언어로 서버를 만드는 방법을 처음부터 끝까지"])
    }

    @Test func `a frequent word counts less than a rare word`() {
        let one = listing("a.one", ["고양이 하나", "고양이 둘", "고양이 셋", "고양이 넷"])
        let two = listing("b.two", ["고양이 다섯", "이갈이 시기"])
        let merged = walk("고양이 이갈이", [one, two])
        let rare = merged.merged.firstIndex { $0.entry.title == "이갈이 시기" } ?? 9
        let text = (0..<6).compactMap { merged.parts(ofMerged: $0)?.text }
        #expect(text.count == 6 && text.indices.allSatisfy { $0 == rare || text[$0] < text[rare] })
    }

    @Test func `hits without a match keep the order of their ranks`() {
        let one = listing("a.one", ["하나", "둘"])
        let two = listing("b.two", ["셋", "넷"])
        #expect(titles("고양이", one, two) == ["하나", "셋", "둘", "넷"])
    }

    @Test func `among hits without a match, hits of a source with good matches come first`() {
        let knowing = listing("b.two", ["나비야 이리 온", "고양이", "고양이 키우기", "고양이 사전"])
        let other = listing("a.one", ["부동산 시세", "주식", "날씨", "환율"])
        let order = titles("고양이", other, knowing)
        #expect(order.prefix(3).allSatisfy { $0.hasPrefix("고양이") })
        #expect(order[3] == "나비야 이리 온")
    }

    @Test func `the rank decides between equal matches`() {
        let one = listing("a.one", ["고양이 가", "고양이 나", "고양이 다"])
        let two = listing("b.two", ["고양이 라"])
        #expect(titles("고양이", one, two) == ["고양이 가", "고양이 라", "고양이 나", "고양이 다"])
    }

    @Test func `an item of several sources comes first among equal matches`() {
        func at(_ address: String) -> (inout Hit) -> Void { { $0.url = "https://x.example/\(address)" } }
        let one = listing("a.one", ["고양이 하나"], at("1"))
        let two = listing("b.two", ["고양이 두리"], at("2"))
        let three = listing("c.three", ["고양이 두리"], at("2"))
        let merged = walk("고양이", [one, two, three])
        #expect(merged.merged.map(\.entry.title) == ["고양이 두리", "고양이 하나"])
        #expect(merged.parts(ofMerged: 0)?.found ?? 0 > 0)
    }

    @Test func `the age counts for news but not for books`() {
        let day: Int64 = 86_400
        let now = 1000 * day
        func dated(_ ages: [Int64]) -> (inout Hit) -> Void {
            { hit in
                let seconds = now - ages[hit.rank - 1] * day
                hit.published = PublishedDate(epochSeconds: seconds, offsetMinutes: 0, precision: .second)
            }
        }
        let news = listing("a.news", ["태풍 옛소식", "태풍 새소식"], halfLife: .seconds(3 * day), dated([700, 0]))
        let books = listing("b.books", ["태풍 옛날책", "태풍 새로책"], dated([700, 0]))
        #expect(titles("태풍", news, books, now: now) == ["태풍 새소식", "태풍 옛날책", "태풍 새로책", "태풍 옛소식"])
        let merged = walk("태풍", [news, books], now: 0)
        #expect(merged.merged.indices.allSatisfy { merged.parts(ofMerged: $0)?.freshness ?? 1 < 0.23 })
    }

    @Test func `a source in the query's language comes before a source in another language`() {
        let english = listing("a.one", ["고양이"], languages: ["en"])
        let korean = listing("b.two", ["고양이"], languages: ["ko"])
        let any = listing("c.three", ["고양이"])
        #expect(walk("고양이", [english, korean, any]).merged.last?.source == english.profile.name)
        // A query in Latin letters can be in any language, but probably not in a language with another script.
        let latin = walk("cat", [english, korean, any])
        #expect(latin.merged.last?.source == korean.profile.name)
        let language = latin.merged.indices.map { latin.parts(ofMerged: $0)?.language ?? 1 }
        #expect(language == [0, 0, -0.1])
    }

    @Test func `hits of a source with a greater weight come first`() {
        let one = listing("a.one", ["고양이"], weight: 0.8)
        let two = listing("b.two", ["고양이"], weight: 1.1)
        #expect(walk("고양이", [one, two]).merged.map(\.source) == [two.profile.name, one.profile.name])
    }

    @Test func `equal matches alternate between sources`() {
        let one = listing("a.one", (1...8).map { "고양이 \($0)" })
        let two = listing("b.two", (1...4).map { "고양이 \($0)" }, weight: 0.85)
        let first = walk("고양이", [one, two]).merged.prefix(6).map(\.source)
        #expect(first.contains(two.profile.name))
        let three = listing("c.three", ["오늘은 고양이", "내일도 고양이", "모레도 고양이"])
        let exact = listing("a.one", (1...9).map { _ in "고양이" })
        let mixed = walk("고양이", [exact, three]).merged.map(\.entry.title)
        #expect(mixed.prefix(5).allSatisfy { $0 == "고양이" })
        #expect(mixed.prefix(10).contains("오늘은 고양이"))
    }

    @Test func `images come after matching hits and before other hits, with the best match first`() {
        let pictures = listing("a.image", ["창가", "고양이"]) {
            $0.kind = kind("image")
            $0.url = "https://x.example/\($0.rank).png"
        }
        let web = listing("b.web", ["고양이 사전", "부동산 시세"])
        #expect(titles("고양이", pictures, web) == ["고양이 사전", "고양이", "창가", "부동산 시세"])
    }

    @Test func `a hit whose title is its URL is ranked like an image`() {
        let bare = listing("a.one", ["https://x.example/1.png"]) { $0.url = $0.title }
        #expect(walk("고양이", [bare, listing("b.two", ["하나"])]).merged.first?.source == bare.profile.name)
    }

    @Test func `the names and the order of the sources do not change the result`() {
        var random = SeededGenerator(seed: testSeed())
        let words = ["고양이", "사료", "추천", "swift", "강아지", "후기", "정책", "cats"]
        for _ in 0..<40 {
            var listings = (0..<5).map { number in
                let titles = (0..<8).map { _ in
                    (0..<3).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
                }
                return listing("s.n\(number)", titles, weight: [0.8, 1, 1.2][number % 3]) {
                    $0.id = "s.n\(number):\(UInt64.random(in: 0...(.max), using: &random))"
                    $0.url = "https://x.example/\(Int.random(in: 0..<30, using: &random))"
                }
            }
            let list = keys(walk("고양이 사료", listings))
            #expect(keys(walk("고양이 사료", listings.shuffled(using: &random))) == list)
            for index in listings.indices {
                let name = "z.r\(Int.random(in: 0...999_999, using: &random))"
                listings[index].profile.name = sourceName(name)
                for number in listings[index].hits.indices {
                    let key = listings[index].hits[number].id.drop { $0 != ":" }
                    listings[index].hits[number].id = name + key
                    listings[index].hits[number].source = sourceName(name)
                }
            }
            #expect(keys(walk("고양이 사료", listings)) == list)
        }
    }

    private func keys(_ walk: Walk) -> [Substring] {
        walk.merged.map { $0.entry.id.drop { $0 != ":" } }
    }

    @Test func `a score is the sum of its parts, and zero parts are not listed`() {
        let parts = ScoreParts(text: 0.5, rank: 0.3, freshness: -0.1)
        #expect(parts.named.map(\.name) == ["text", "rank", "freshness"])
        #expect(abs(parts.sum - 0.7) < 1e-9)
    }

    @Test func `matches are found in texts with quotation marks, brackets and combining marks`() {
        for text in ["a \"quoted\" \\ 고양이", "{[,]}: 고양이\"", "\u{301}고양이"] {
            let one = listing("a.one", ["제목"]) { hit in
                hit.snippet = text
                hit.snippetMarks = [0..<1]
                hit.url = "https://x.example/?q=[{\"a\":1}]"
                hit.author = "사료 \"주인\""
            }
            let matches = cachedPage(Page(hits: one.hits, isEnd: true), key: pageKey(query: "고양이 사료")).matches
            #expect(matches.map { $0.snippet[0] } == [Term.Level.full])
            #expect(matches.map { $0.author[1] } == [Term.Level.full])
        }
    }
}
