import SearchModel

/// Irrelevant hits, most of which contain a word of the query by chance, as real lists do.
enum ChanceHits {
    /// Titles and snippets; `{q}` is the query and `{w}` its first word.
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
