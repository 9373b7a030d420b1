import HTTP
import JSON

extension GoogleWriter {
    /// Every member but the title may be missing.
    func volumeInfo(_ prose: inout Prose, _ document: Document, id: String, inFull: Bool) -> JSONValue {
        let scope = query.variant.scope
        let topic = prose.topicText().plain
        let title = [.anywhere, .intitle].contains(scope) ? prose.title().plain : prose.noun()
        let author = scope == .inauthor ? topic : prose.person()
        let authors = [author] + (prose.dice.chance(1, of: 4) ? [prose.person()] : [])
        let publisher = scope == .inpublisher ? topic : prose.company()
        let category = scope == .subject ? topic : prose.genre()
        let categories = inFull ? [category, "\(category) / General"] : [category]
        let description = describe(&prose, inFull: inFull)
        let isMagazine = query.variant.printType == "magazines"
        let rated = prose.dice.chance(2, of: 5)
        let pages = prose.dice.roll(0...900)
        let rest = Body.object([
            "description": description, "industryIdentifiers": identifiers(document),
            "readingModes": ["text": .bool(pages % 2 == 0), "image": true],
            "pageCount": when(prose.dice.chance(6, of: 7), .integer(pages)),
            "printType": isMagazine ? "MAGAZINE" : "BOOK",
            "categories": when(prose.dice.chance(4, of: 5), .strings(categories)),
            "averageRating": when(rated, .hundredths(prose.dice.roll(2...10) * 50)),
            "ratingsCount": when(rated, .integer(prose.dice.roll(1...2_000))),
            "maturityRating": prose.dice.chance(1, of: 40) ? "MATURE" : "NOT_MATURE", "allowAnonLogging": false,
            "contentVersion": .string("0.\(prose.dice.roll(1...4)).\(prose.dice.roll(0...9)).0.preview.1"),
            "panelizationSummary": ["containsEpubBubbles": false, "containsImageBubbles": false],
            "imageLinks": imageLinks(&prose, document, inFull: inFull), "language": .string(language(prose)),
            "previewLink": .string(
                "http://books.google.example/books?id=\(id)&printsec=frontcover&dq=\(words)&hl=&cd=1"
            ),
            "infoLink": .string("http://books.google.example/books?id=\(id)&dq=\(words)&hl=&source=gbs_api"),
            "canonicalVolumeLink": .string("https://books.google.example/books/about/x.html?hl=&id=\(id)"),
        ])
        let first = Body.object([
            "title": .string(title), "subtitle": when(prose.dice.chance(1, of: 3), .string(prose.noun())),
            "authors": when(prose.dice.chance(9, of: 10), .strings(authors)),
            "publisher": when(scope == .inpublisher || prose.dice.chance(4, of: 5), .string(publisher)),
            "publishedDate": publishedDate(document),
        ])
        return .object((first.members ?? []) + (rest.members ?? []))
    }

    private var words: String { PercentEncoding.encode(query.typed) }

    private func language(_ prose: Prose) -> String {
        query.variant.language.isEmpty ? (prose.topic.isKorean ? "ko" : "en") : query.variant.language
    }

    /// The single volume's has markup.
    private func describe(_ prose: inout Prose, inFull: Bool) -> JSONValue? {
        let text = prose.snippet(sentences: 3)
        if prose.dice.chance(1, of: 5) { return nil }
        return .string(inFull ? "<p>\(text.bold)</p><br>" : text.plain)
    }

    /// A day, a month, a year; now and then with a mark behind it, or nothing.
    private func publishedDate(_ document: Document) -> JSONValue? {
        var dice = Dice(document.serial, 0xDA7E)
        let day = document.date.isoDay
        switch dice.roll(20) {
        case 0: return nil
        case 1: return .string("\(day.prefix(4))\(dice.pick(["*", "?"]))")
        case 2...7: return .string(String(day.prefix(4)))
        case 8...10: return .string(String(day.prefix(7)))
        default: return .string(day)
        }
    }

    private func identifiers(_ document: Document) -> JSONValue? {
        func one(_ type: String, _ identifier: String) -> JSONValue {
            ["type": .string(type), "identifier": .string(identifier)]
        }
        if let body = ISBN.body(of: query.text) {
            return [one("ISBN_13", ISBN.thirteen(body: body)), one("ISBN_10", ISBN.ten(body: body))]
        }
        var dice = Dice(document.serial, 0x15B4)
        let body = dice.roll(1_000_000_000)
        if query.variant.printType == "magazines" { return [one("ISSN", "\(padded(body % 100_000_000, 8))")] }
        switch dice.roll(10) {
        case 0: return nil
        case 1: return [one("OTHER", "UOM:39015\(padded(body, 9))")]
        case 2: return [one("ISBN_10", ISBN.ten(body: body))]
        default: return [one("ISBN_13", ISBN.thirteen(body: body)), one("ISBN_10", ISBN.ten(body: body))]
        }
    }

    /// Plain http, as Google writes it; one volume in six has no cover.
    private func imageLinks(_ prose: inout Prose, _ document: Document, inFull: Bool) -> JSONValue? {
        if prose.dice.chance(1, of: 6) { return nil }
        let sizes = [
            ("smallThumbnail", 80, 116), ("thumbnail", 128, 186), ("small", 300, 435), ("medium", 575, 834),
            ("large", 800, 1160), ("extraLarge", 1280, 1856),
        ]
        return .object(
            sizes.prefix(inFull ? 6 : 2).map { name, width, height in
                JSONMember(name, .string(pictures.image(document.serial, width: width, height: height)))
            }
        )
    }
}
