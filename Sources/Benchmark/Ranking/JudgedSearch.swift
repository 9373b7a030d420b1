import SearchModel

/// A query with the results of its sources and a judgement of each result.
struct JudgedSearch: Sendable {
    struct List: Sendable {
        let source: SourceName
        var hits: [Judged] = []
    }

    struct Judged: Equatable, Sendable {
        /// From 0 (useless) to 3 (exactly what the user wants).
        let grade: Int
        /// Whether this is the one item that the user has in mind.
        let isKnown: Bool
        let ageDays: Int?
        let title: String
        let snippet: String?
        let author: String?
    }

    let query: SearchQuery
    var lists: [List] = []

    static func all() throws -> [JudgedSearch] {
        let texts = [
            PackageResources.korean1_txt, PackageResources.korean2_txt, PackageResources.english1_txt,
            PackageResources.english2_txt, PackageResources.keyless_txt,
        ]
        return try texts.flatMap { try read(String(decoding: $0, as: UTF8.self)) }
    }

    static func read(_ text: String) throws -> [JudgedSearch] {
        var searches: [JudgedSearch] = []
        for line in text.split(separator: "\n") {
            let rest = line.dropFirst().drop { $0 == " " }
            switch line.first {
            case "#": continue
            case "?":
                guard let query = SearchQuery(String(rest)) else { throw wrong(line) }
                searches.append(JudgedSearch(query: query))
            case "@":
                guard let source = SourceName(String(rest)), !searches.isEmpty else { throw wrong(line) }
                searches[searches.count - 1].lists.append(List(source: source))
            default:
                guard let search = searches.last, let list = search.lists.last else { throw wrong(line) }
                var hits: [Judged] = []
                if line.first != "+", let hit = judged(line) {
                    hits = [hit]
                } else if line.first == "+", let count = Int(rest) {
                    let first = 7 * searches.count + 3 * search.lists.count
                    hits = (first..<first + count).map { ChanceHits.hit(for: search.query, number: $0) }
                } else {
                    throw wrong(line)
                }
                searches[searches.count - 1].lists[search.lists.count - 1].hits = list.hits + hits
            }
        }
        return searches
    }

    private static func wrong(_ line: Substring) -> BenchmarkError {
        BenchmarkError("not a valid line of judged data: \(line)")
    }

    /// Parses `3! ~2 title | snippet / author`; only the grade and the title are required.
    private static func judged(_ line: Substring) -> Judged? {
        let form = /([0-3])(!?) *(?:~(\d+) +)?(.+?)(?: \| (.*?))?(?: \/ (.*))?/
        guard let parts = line.wholeMatch(of: form)?.output else { return nil }
        return Judged(
            grade: Int(parts.1) ?? 0,
            isKnown: !parts.2.isEmpty,
            ageDays: parts.3.flatMap { Int($0) },
            title: String(parts.4),
            snippet: parts.5.map { String($0) },
            author: parts.6.map { String($0) }
        )
    }
}

/// Makes useless hits that contain the words of a query by chance.
enum ChanceHits {
    /// The query replaces `{q}`, and its first word replaces `{w}`.
    private static let korean = [
        ("{q} 문의드립니다", "게시판에 처음 글을 남겨요."), ("오늘의 잡담", "{q} 생각을 하다가 잠이 들었다."),
        ("[공지] {w} 이벤트 당첨자 발표", "축하드립니다."), ("주말 일기", "비가 와서 집에만 있었다."), ("{w} 이모티콘 나눔", "선착순입니다."),
        ("가성비 좋은 이어폰 추천", "{w} 이야기는 다음에."), ("이번 주 로또 번호", "꿈에 {w} 나왔다."), ("그래서 {q}", "퇴근길 지하철에서."),
        ("중고 일괄 판매합니다", "{q} 포함, 택배 가능."), ("이웃 소통해요", "오늘도 {q}."), ("자취생 반찬 열 가지", "멸치볶음과 장조림."),
        ("{w} 광고 대행 전문", "상담 환영."), ("댓글 모음", "{w} 어쩌고 하는 사람들."),
    ]
    private static let english = [
        ("Ask: {q}?", "No answers yet."), ("What I did this weekend", "It rained, and I stayed in."),
        ("{w} and the art of small talk", "A rant."), ("Weekly open thread", "Somebody mentioned {q}."),
        ("Who is hiring", "Remote; no {w} needed."), ("We killed {w} for profit", "A postmortem."),
        ("Ten plugins that you need", "None about {w}."), ("The end of {q} as we knew it", "Opinion."),
        ("A font for terminals", "Free."), ("Not another {w} post", "Sorry."),
        ("Old photographs restored", "Found in a box."),
    ]

    static func hit(for query: SearchQuery, number: Int) -> JudgedSearch.Judged {
        let isKorean = query.text.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }
        let pairs = isKorean ? korean : english
        let (title, snippet) = pairs[number % pairs.count]
        return JudgedSearch.Judged(
            grade: 0,
            isKnown: false,
            ageDays: 30 + number * 13 % 2000,
            title: filled(title, query),
            snippet: filled(snippet, query),
            author: nil
        )
    }

    private static func filled(_ template: String, _ query: SearchQuery) -> String {
        let word = query.text.split(separator: " ").first.map { String($0) } ?? query.text
        return template.replacing("{q}", with: query.text).replacing("{w}", with: word)
    }
}
