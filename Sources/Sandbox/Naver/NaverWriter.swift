import JSON

/// Writes Naver's envelope and items: every value of an item is a string.
struct NaverWriter: Sendable {
    let pictures: Pictures

    func document(_ results: NaverResults, total: Int, at moment: Timestamp) -> JSONValue {
        let items = results.documents.map { item($0, results.query) }
        return Body.object([
            "lastBuildDate": .string(moment.mail), "total": .integer(total),
            "start": .integer(results.listing.count == 0 ? 1 : results.query.start), "display": .integer(items.count),
            "items": .array(items.map { .object($0.map { JSONMember($0.0, .string($0.1)) }) }),
        ])
    }

    /// What identifies the item within this search: its link, or the address of a local item, which may have no link.
    func identity(_ document: Document, _ query: NaverSearch.Query) -> String {
        var dice = Dice(document.serial, 0x114C)
        let number = String(document.serial % 1_000_000_007)
        let host = dice.text(dice.roll(5...9), of: .lowercase)
        switch query.kind {
        case .blog: return "https://blog.naver.example/\(host)/\(number)"
        case .cafearticle: return "http://cafe.naver.example/\(host)/\(number)"
        case .kin: return "https://kin.naver.example/qna/detail.naver?d1id=8&dirId=\(dice.roll(1000))&docId=\(number)"
        case .encyc: return "https://terms.naver.example/entry.naver?docId=\(number)&cid=\(dice.roll(60_000))"
        case .local: return "\(Prose(document, topic: query.topic).somewhere()) 중앙로 \(number)"
        case .news where dice.chance(2, of: 3):
            return "https://n.news.example/mnews/article/\(padded(dice.roll(600), 3))/\(number)"
        case .image:
            let (width, height) = size(query.filter, &dice)
            return pictures.image(document.serial, width: width, height: height)
        default: return "https://www.\(host).example/\(number)"
        }
    }

    /// What the filter lets through.
    private func size(_ filter: String?, _ dice: inout Dice) -> (Int, Int) {
        let range =
            switch filter {
            case "large": 100...160
            case "medium": 40...90
            case "small": 4...30
            default: 4...160
            }
        return (dice.roll(range) * 10, dice.roll(range) * 10)
    }

    private func item(_ document: Document, _ query: NaverSearch.Query) -> [(String, String)] {
        var prose = Prose(document, topic: query.topic)
        let link = identity(document, query)
        let title = prose.title()
        switch query.kind {
        case .image: return image(document, title: title, link: link)
        case .local: return local(&prose, address: link)
        default: break
        }
        let description = prose.snippet(sentences: prose.dice.roll(2...4)).bold + " "
        let common = [("title", title.bold), ("link", link), ("description", description)]
        switch query.kind {
        case .blog: return common + blog(&prose, document)
        case .news: return news(&prose, document, common)
        case .cafearticle:
            return common + [("cafename", prose.name()), ("cafeurl", "http://cafe.naver.example/\(prose.handle())")]
        case .encyc: return common + [("thumbnail", pictures.image(document.serial, width: 160, height: 160))]
        default: return common
        }
    }

    /// The blogger's address comes with the scheme or without.
    private func blog(_ prose: inout Prose, _ document: Document) -> [(String, String)] {
        let address = "blog.naver.example/\(prose.handle())"
        return [
            ("bloggername", prose.name()),
            ("bloggerlink", prose.dice.chance(1, of: 3) ? address : "https://\(address)"),
            ("postdate", document.date.compactDay),
        ]
    }

    /// The publisher's address is now and then missing.
    private func news(
        _ prose: inout Prose,
        _ document: Document,
        _ common: [(String, String)]
    ) -> [(String, String)] {
        let own = "http://www.\(prose.handle()).example/news/articleView.html?idxno=\(document.serial % 1_000_000)"
        let original = prose.dice.chance(1, of: 30) ? "" : common[1].1.hasPrefix("https://n.news") ? own : common[1].1
        return [common[0], ("originallink", original), common[1], common[2], ("pubDate", document.date.mail)]
    }

    /// The picture's own address is all there is: neither a page nor a date.
    private func image(_ document: Document, title: MarkedText, link: String) -> [(String, String)] {
        let sides = link.split(separator: "-").last?.split(separator: ".").first?.split(separator: "x") ?? []
        return [
            ("title", title.plain), ("link", link),
            ("thumbnail", pictures.thumbnail(of: link, width: 130, height: 130)),
            ("sizeheight", String(sides.last ?? "")), ("sizewidth", String(sides.first ?? "")),
        ]
    }

    private func local(_ prose: inout Prose, address: String) -> [(String, String)] {
        var title = MarkedText("\(prose.name()) ")
        title.append(prose.topicText())
        let town = address.prefix { $0 != " " }
        let mapx = prose.dice.roll(1_265_000_000...1_290_000_000)
        let mapy = prose.dice.roll(345_000_000...377_000_000)
        let category = prose.dice.pick(["음식점>카페,디저트", "생활,편의>동물병원", "쇼핑,유통>반려용품", "문화,예술>도서관", "여행,명소>공원"])
        let link = prose.dice.chance(1, of: 3) ? "" : "https://www.\(prose.handle()).example/"
        return [
            ("title", title.bold), ("link", link), ("category", category), ("description", ""), ("telephone", ""),
            ("address", "\(town) 중앙동 \(prose.dice.roll(1...900))-\(prose.dice.roll(1...30))"),
            ("roadAddress", address), ("mapx", String(mapx)), ("mapy", String(mapy)),
        ]
    }
}
