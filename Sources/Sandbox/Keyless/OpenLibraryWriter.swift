import JSON

/// Writes Open Library's works.
struct OpenLibraryWriter {
    /// The key of the search, for the ids.
    let search: UInt32
    let topic: Topic

    /// What an answer has when no fields are asked for.
    private static let usual: Set<Substring> = [
        "key", "title", "subtitle", "author_name", "author_key", "edition_count", "first_publish_year", "cover_i",
        "cover_edition_key", "language", "has_fulltext", "public_scan_b", "ebook_access", "ia",
    ]

    static func key(_ search: UInt32, _ index: Int) -> String {
        "/works/OL\(TopicMemory.pack(search, index))W"
    }

    /// The number in a work's key; nil for anything else.
    static func number(of key: some StringProtocol) -> Int? {
        guard key.hasPrefix("/works/OL"), key.hasSuffix("W") else { return nil }
        return Int(key.dropFirst("/works/OL".utf8.count).dropLast())
    }

    /// The number in a query such as `key:"/works/OL1W"`; nil for any other query, and -1 for a key that no work has.
    static func number(inQuery q: String) -> Int? {
        guard q.hasPrefix("key:") else { return nil }
        return number(of: q.dropFirst(4).filter { $0 != "\"" }) ?? -1
    }

    /// One work; `fields` is a list of names, `*` for all.
    func work(_ document: Document, fields: String?) -> JSONValue {
        let wanted = fields.map { Set($0.split(separator: ",")) } ?? Self.usual
        let all = work(document)
        guard !wanted.contains("*") else { return all }
        var kept = (all.members ?? []).filter { wanted.contains($0.name[...]) }
        // Only for those who ask for it by its name.
        if wanted.contains("description"), let text = description(document) {
            kept.append(JSONMember("description", .string(text)))
        }
        return .object(kept)
    }

    /// Every fourth work has none.
    private func description(_ document: Document) -> String? {
        var prose = Prose(document, topic: topic)
        guard prose.dice.chance(3, of: 4) else { return nil }
        return "\(prose.snippet(sentences: 5).plain)\n\n\(prose.snippet(sentences: 3).plain)"
    }

    private func work(_ document: Document) -> JSONValue {
        var prose = Prose(document, topic: topic)
        let year = Timestamp(seconds: document.date.seconds).civil().year
        let body = topic.words.first.flatMap(ISBN.body) ?? prose.dice.roll(1_000_000_000)
        let hasText = prose.dice.chance(1, of: 3)
        let rating = prose.dice.roll(200...500)
        let cover = prose.dice.roll(100_000...14_000_000)
        return Body.object([
            "author_key": when(prose.dice.chance(9, of: 10), [.string("OL\(prose.dice.roll(9_000_000))A")]),
            "author_name": when(prose.dice.chance(9, of: 10), .strings([prose.person()])),
            "cover_edition_key": when(prose.dice.chance(3, of: 4), .string("OL\(prose.dice.roll(50_000_000))M")),
            "cover_i": when(prose.dice.chance(3, of: 4), .integer(cover)),
            "ebook_access": .string(hasText ? prose.dice.pick(["public", "borrowable", "printdisabled"]) : "no_ebook"),
            "edition_count": .integer(prose.dice.roll(1...60)),
            "first_publish_year": when(prose.dice.chance(11, of: 12), .integer(year)), "has_fulltext": .bool(hasText),
            "ia": when(hasText, .strings([prose.handle()])), "key": .string(Self.key(search, document.index)),
            "language": when(prose.dice.chance(5, of: 6), .strings([topic.isKorean ? "kor" : "eng"])),
            "public_scan_b": .bool(hasText), "title": .string(prose.title().plain),
            "subtitle": when(prose.dice.chance(1, of: 4), .string(prose.noun())),
            "isbn": .strings([ISBN.thirteen(body: body), ISBN.ten(body: body)]),
            "publisher": .strings([prose.company()]), "first_sentence": .strings([prose.snippet(sentences: 1).plain]),
            "subject": .strings([prose.genre()]), "ratings_average": .hundredths(rating),
            "ratings_count": .integer(prose.dice.roll(900)),
            "number_of_pages_median": when(prose.dice.chance(3, of: 4), .integer(prose.dice.roll(30...900))),
        ])
    }

    /// The single work, which is written in another form than a result.
    func single(_ document: Document) -> JSONValue {
        let work = work(document)
        return Body.object([
            "key": work["key"], "title": work["title"], "subtitle": work["subtitle"],
            "covers": work["cover_i"].map { [$0] }, "description": work["first_sentence"]?[0],
            "subjects": work["subject"], "type": ["key": "/type/work"],
            "created": ["type": "/type/datetime", "value": .string(document.date.zulu)],
        ])
    }
}
