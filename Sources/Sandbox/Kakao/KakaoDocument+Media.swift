import JSON

extension KakaoDocument {
    func image(_ pictures: Pictures) -> JSONValue {
        var prose = Prose(document, topic: query.topic)
        let (width, height) = pictureSize
        let original = picture(pictures)
        let collection = prose.dice.pick(["blog", "blog", "news", "cafe", "etc"])
        return Body.object([
            "collection": .string(collection), "datetime": .string(document.date.kakao),
            "display_sitename": .string(prose.name()), "doc_url": .string(address), "height": .integer(height),
            "image_url": .string(original),
            "thumbnail_url": .string(pictures.thumbnail(of: original, width: 130, height: 130)),
            "width": .integer(width),
        ])
    }

    /// A title of this search is plain text: an ampersand stands for itself.
    func video(_ pictures: Pictures) -> JSONValue {
        var prose = Prose(document, topic: query.topic)
        let title = prose.title().plain
        let author = prose.dice.chance(1, of: 9) ? "" : prose.name()
        let original = pictures.image(document.serial, width: 480, height: 270)
        return Body.object([
            "author": .string(author), "datetime": .string(document.date.kakao),
            "play_time": .integer(prose.dice.roll(12...5_400)),
            "thumbnail": .string(pictures.thumbnail(of: original, width: 138, height: 78)), "title": .string(title),
            "url": .string(address),
        ])
    }

    /// The address of the picture itself.
    func picture(_ pictures: Pictures) -> String {
        let (width, height) = pictureSize
        return pictures.image(document.serial, width: width, height: height)
    }

    private var pictureSize: (Int, Int) {
        var dice = Dice(document.serial, 0x512E)
        return (dice.roll(20...160) * 10, dice.roll(20...120) * 10)
    }
}
