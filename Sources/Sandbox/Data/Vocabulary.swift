/// The words that the sandbox's world is made of; a query for one of the nouns has many matches.
struct Vocabulary: Sendable {
    let nouns: [String]
    let adjectives: [String]
    let towns: [String]
    let people: [String]
    let companies: [String]
    let genres: [String]
    /// Templates: `{t}` is the topic, `{n}` a noun, `{a}` an adjective, `{p}` a town, `{w}` a person, `{c}` a company
    /// and `{y}` a small number.
    let titles: [String]
    let sentences: [String]
    let names: [String]

    static func of(_ topic: Topic) -> Vocabulary {
        topic.isKorean ? korean : english
    }

    /// True for a lower-case word that many documents are about.
    static func isCommon(_ word: String) -> Bool {
        common.contains(word)
    }

    private static let common = Set(
        (korean.nouns + korean.towns + english.nouns + english.towns + extra).map { $0.lowercased() }
    )

    private static let extra = [
        "뉴스", "사진", "책", "앱", "스위프트", "개발", "날씨", "맛집", "영화", "음악", "게임", "주식", "축구", "야구", "한강",
        "bts", "iu", "아이유", "뉴진스", "love", "you", "the", "swift", "python", "linux", "ios", "ai", "rust", "apple",
        "google", "news", "new", "book", "books", "harry", "potter", "world", "life", "best", "how", "to", "guide",
        "time",
    ]
}
