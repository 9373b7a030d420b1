import JSON

/// One document of Kakao's, written as each of the six searches does.
struct KakaoDocument {
    let document: Document
    let query: KakaoSearch.Query

    func json(_ pictures: Pictures) -> JSONValue {
        switch query.kind {
        case .web: web()
        case .blog: post("blogname", pictures) { $0.name() }
        case .cafe: post("cafename", pictures) { "\($0.name()) \($0.noun())" }
        case .image: image(pictures)
        case .vclip: video(pictures)
        case .book: book(pictures)
        }
    }

    /// What identifies the document within this search.
    func identity(_ pictures: Pictures) -> String {
        query.kind == .image ? picture(pictures) : address
    }

    /// Made-up hosts, so that no real page is ever asked for.
    var address: String {
        var dice = Dice(document.serial, 0x0441)
        let host = dice.text(dice.roll(5...9), of: .lowercase)
        let number = String(document.serial % 1_000_000_007)
        switch query.kind {
        case .blog: return "https://\(host).blog.example/\(number)"
        case .cafe: return "https://cafe.example/\(host)/\(dice.text(4, of: .base64URL))/\(number)"
        case .vclip: return "http://video.example/watch?v=\(dice.text(11, of: .base64URL))&n=\(number)"
        case .book: return "https://books.example/book?bookId=\(number)&tab=introduction"
        default: return "https://\(host).example/\(dice.text(6, of: .lowercase))/\(number)"
        }
    }

    private func web() -> JSONValue {
        var prose = Prose(document, topic: query.topic)
        let title = prose.title().bold
        return Body.object([
            "contents": .string(contents(&prose)), "datetime": .string(document.date.kakao), "title": .string(title),
            "url": .string(address),
        ])
    }

    /// Of a blog or a café, whose name stands under `member`.
    private func post(_ member: String, _ pictures: Pictures, name: (inout Prose) -> String) -> JSONValue {
        var prose = Prose(document, topic: query.topic)
        let title = prose.title().bold
        return Body.object([
            member: .string(name(&prose)), "contents": .string(contents(&prose)),
            "datetime": .string(document.date.kakao), "thumbnail": .string(thumbnail(&prose, pictures)),
            "title": .string(title), "url": .string(address),
        ])
    }

    /// A few sentences; some carry the zero-width space that is seen in blogs.
    private func contents(_ prose: inout Prose) -> String {
        let text = prose.snippet(sentences: prose.dice.roll(2...4)).bold
        return prose.dice.chance(1, of: 6) ? "\u{200B}" + text : text
    }

    /// One document in five has no picture.
    private func thumbnail(_ prose: inout Prose, _ pictures: Pictures) -> String {
        if prose.dice.chance(1, of: 5) { return "" }
        let original = pictures.image(document.serial, width: 640, height: 480)
        return pictures.thumbnail(of: original, width: 130, height: 130)
    }
}
