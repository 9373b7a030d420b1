import JSON

/// One document of Kakao's, written as each of the six searches does.
struct KakaoDocument {
    let document: Document
    let query: KakaoSearch.Query

    init(_ document: Document, _ query: KakaoSearch.Query) {
        self.document = document
        self.query = query
    }

    func json(in world: World) -> JSONValue {
        switch query.kind {
        case .blog: blog(in: world)
        default: blog(in: world)
        }
    }

    /// What tells the document from every other one of this search.
    var identity: String {
        address
    }

    private var address: String {
        var dice = Dice(document.serial, 0x0441)
        let host = dice.text(dice.roll(5...9), of: .lowercase)
        let number = String(document.serial % 1_000_000_007)
        switch query.kind {
        case .blog: return "https://\(host).blog.example/\(number)"
        case .cafe: return "https://cafe.example/\(host)/\(dice.text(4, of: .base64URL))/\(number)"
        case .vclip: return "http://video.example/watch?v=\(dice.text(11, of: .base64URL))&n=\(number)"
        default: return "https://\(host).example/\(dice.text(6, of: .lowercase))/\(number)"
        }
    }

    private func blog(in world: World) -> JSONValue {
        var prose = Prose(document, topic: query.topic)
        let title = prose.title().bold
        let contents = contents(&prose)
        let name = prose.name()
        let thumbnail = prose.dice.chance(1, of: 5) ? "" : world.image(document.serial, width: 130, height: 130)
        return Body.object([
            "blogname": .string(name), "contents": .string(contents), "datetime": .string(document.date.kakao),
            "thumbnail": .string(thumbnail), "title": .string(title), "url": .string(address),
        ])
    }

    /// A few sentences; some carry the zero-width space that is seen in blogs.
    private func contents(_ prose: inout Prose) -> String {
        let text = prose.snippet(sentences: prose.dice.roll(2...4)).bold
        return prose.dice.chance(1, of: 6) ? "\u{200B}" + text : text
    }
}
