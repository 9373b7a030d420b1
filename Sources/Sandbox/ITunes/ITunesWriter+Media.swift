import JSON

extension ITunesWriter {
    func podcast(_ prose: inout Prose, _ document: Document, _ id: Int, _ kind: String) -> JSONValue {
        let name = prose.title().plain
        let head = Body.object([
            "wrapperType": "track", "kind": .string(kind), "collectionId": .integer(id), "trackId": .integer(id),
            "artistName": .string(prose.company()), "collectionName": .string(name), "trackName": .string(name),
            "collectionCensoredName": .string(name), "trackCensoredName": .string(name),
            "collectionViewUrl": .string(link("podcast", id)),
            "feedUrl": .string("https://feeds.example/\(prose.handle())/rss"),
            "trackViewUrl": .string(link("podcast", id)),
        ])
        let tail = Body.object([
            "collectionPrice": 0, "trackPrice": 0, "collectionHdPrice": 0, "releaseDate": .string(document.date.zulu),
            "collectionExplicitness": "notExplicit", "trackExplicitness": "cleaned",
            "trackCount": .integer(prose.dice.roll(1...900)),
            "trackTimeMillis": when(prose.dice.chance(3, of: 4), .integer(prose.dice.roll(60...7_200))),
            "country": .string(store.country), "currency": .string(store.currency),
            "primaryGenreName": .string(prose.genre()), "contentAdvisoryRating": "Clean",
            "genreIds": ["1302", "26"], "genres": .strings([prose.genre(), "Podcasts"]),
        ])
        return joined([head, .object(artwork(document, [30, 60, 100, 600])), tail])
    }

    /// Its description has markup.
    func ebook(_ prose: inout Prose, _ document: Document, _ id: Int) -> JSONValue {
        let name = prose.title().plain
        let artistID = prose.dice.roll(1_000_000...999_999_999)
        let cents = prose.dice.chance(1, of: 6) ? 0 : prose.dice.roll(2...20) * 100 - 1
        let text = prose.snippet(sentences: 3).rendered(open: "<b>", close: "</b>")
        let isRated = prose.dice.chance(1, of: 2)
        let head = Body.object([
            "kind": "ebook", "artistId": .integer(artistID), "artistIds": [.integer(artistID)],
            "artistName": .string(prose.person()), "artistViewUrl": .string(link("author", artistID)),
            "trackId": .integer(id), "trackName": .string(name), "trackCensoredName": .string(name),
            "trackViewUrl": .string(link("book", id)),
        ])
        let tail = Body.object([
            "currency": .string(store.currency), "genres": .strings([prose.genre(), "Books"]),
            "genreIds": ["9002", "38"], "price": price(cents: cents),
            "formattedPrice": .string(formatted(cents: cents)),
            "releaseDate": .string(document.date.zulu), "description": .string("<p>\(text)</p><br />"),
            "fileSizeBytes": .integer(prose.dice.roll(200_000...40_000_000)),
            "averageUserRating": when(isRated, .hundredths(prose.dice.roll(4...10) * 50)),
            "userRatingCount": when(isRated, .integer(prose.dice.roll(1...9_000))),
        ])
        return joined([head, .object(artwork(document, [60, 100])), tail])
    }

    func movie(_ prose: inout Prose, _ document: Document, _ id: Int, _ kind: String) -> JSONValue {
        let name = prose.title().plain
        let isSold = prose.dice.chance(4, of: 5)
        let head = Body.object([
            "wrapperType": "track", "kind": .string(kind), "trackId": .integer(id),
            "artistName": .string(prose.person()),
            "trackName": .string(name), "trackCensoredName": .string(name), "trackViewUrl": .string(link("movie", id)),
            "previewUrl": .string("https://video.example/\(document.serial % 1_000_000_007).m4v"),
        ])
        let tail = Body.object([
            "collectionPrice": when(isSold, price(cents: 1_499)), "trackPrice": when(isSold, price(cents: 1_499)),
            "trackRentalPrice": when(isSold, price(cents: 399)), "trackHdPrice": when(isSold, price(cents: 1_999)),
            "releaseDate": .string(document.date.zulu), "collectionExplicitness": "notExplicit",
            "trackExplicitness": "notExplicit", "trackTimeMillis": .integer(prose.dice.roll(3_600_000...10_800_000)),
            "country": .string(store.country), "currency": .string(store.currency),
            "primaryGenreName": .string(
                prose.dice.pick(["Drama", "Comedy", "Documentary", "Kids & Family", "Thriller"])
            ),
            "contentAdvisoryRating": .string(prose.dice.pick(["G", "PG", "PG-13", "R", "NR"])),
            "shortDescription": when(prose.dice.chance(1, of: 3), .string(prose.snippet(sentences: 1).plain)),
            "longDescription": .string(prose.snippet(sentences: 4).plain),
        ])
        return joined([head, .object(artwork(document, [30, 60, 100])), tail])
    }

    func audiobook(_ prose: inout Prose, _ document: Document, _ id: Int) -> JSONValue {
        let name = prose.title().plain
        let artistID = prose.dice.roll(1_000_000...999_999_999)
        let head = Body.object([
            "wrapperType": "audiobook", "artistId": .integer(artistID), "collectionId": .integer(id),
            "artistName": .string(prose.person()), "collectionName": .string(name),
            "collectionCensoredName": .string(name), "collectionViewUrl": .string(link("audiobook", id)),
        ])
        let tail = Body.object([
            "collectionPrice": price(cents: 1_295), "collectionExplicitness": "notExplicit", "trackCount": 1,
            "country": .string(store.country), "currency": .string(store.currency),
            "releaseDate": .string(document.date.zulu), "primaryGenreName": .string(prose.genre()),
            "description": .string("<p>\(prose.snippet(sentences: 2).bold)</p>"),
        ])
        return joined([head, .object(artwork(document, [60, 100])), tail])
    }
}
