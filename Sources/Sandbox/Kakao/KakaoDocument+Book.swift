import JSON

extension KakaoDocument {
    func book(_ pictures: Pictures) -> JSONValue {
        var prose = Prose(document, topic: query.topic)
        let number = isbn(&prose)
        let title = query.target == nil || query.target == "title" ? prose.title().plain : prose.noun()
        let author = query.target == "person" ? prose.topicText().plain : prose.person()
        let authors = [author] + (prose.dice.chance(1, of: 4) ? [prose.person()] : [])
        let publisher = query.target == "publisher" ? prose.topicText().plain : prose.company()
        let translators = prose.dice.chance(1, of: 4) ? [prose.person()] : []
        let price = prose.dice.roll(16...80) * 500
        let status = prose.dice.pick(["정상판매", "정상판매", "정상판매", "품절", "절판", ""])
        let isSold = status == "정상판매"
        return Body.object([
            "authors": .strings(authors), "contents": .string(blurb(&prose)),
            "datetime": .string(document.date.koreanMidnight.kakao), "isbn": .string(number),
            "price": .integer(price), "publisher": .string(publisher),
            "sale_price": .integer(isSold ? price * 9 / 10 : -1), "status": .string(status),
            "thumbnail": .string(cover(&prose, pictures)), "title": .string(title),
            "translators": .strings(translators), "url": .string(address),
        ])
    }

    /// Mostly both numbers; sometimes one of them, or a shop's own code.
    ///
    /// Every twelfth book is its neighbour's double.
    private func isbn(_ prose: inout Prose) -> String {
        if query.topic.words.count == 1, let body = ISBN.body(of: query.topic.words[0]) {
            return "\(ISBN.ten(body: body)) \(ISBN.thirteen(body: body))"
        }
        let twin = document.index % 12 == 1 ? document.index - 1 : document.index
        var dice = Dice(query.topic.key, UInt64(bitPattern: Int64(twin)), 0x15B4)
        let body = dice.roll(1_000_000_000)
        switch dice.roll(12) {
        case 0: return " \(ISBN.thirteen(body: body))"
        case 1: return "\(ISBN.ten(body: body)) "
        case 2: return " 4808\(padded(body, 9))"
        default: return "\(ISBN.ten(body: body)) \(ISBN.thirteen(body: body))"
        }
    }

    /// A blurb that breaks off, with markup of the shop's left in it as entities.
    private func blurb(_ prose: inout Prose) -> String {
        if prose.dice.chance(1, of: 10) { return "" }
        let text = prose.snippet(sentences: 3).plain.dropLast(3)
        let marked = prose.dice.chance(1, of: 3) ? "<\(prose.noun())> \(text)" : String(text)
        return MarkedText.Escape.html.apply(String(marked.prefix(190)))
    }

    private func cover(_ prose: inout Prose, _ pictures: Pictures) -> String {
        if prose.dice.chance(1, of: 8) { return "" }
        let original = pictures.image(document.serial, width: 480, height: 696)
        return pictures.thumbnail(of: original, width: 120, height: 174)
    }
}
