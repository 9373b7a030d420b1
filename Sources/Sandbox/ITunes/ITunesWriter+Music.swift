import JSON

extension ITunesWriter {
    func song(_ prose: inout Prose, _ document: Document, _ id: Int, _ kind: String) -> JSONValue {
        let artist = prose.person()
        let (artistID, collectionID) = (
            prose.dice.roll(1_000_000...999_999_999), prose.dice.roll(1_000_000_000...1_799_999_999)
        )
        let name = prose.title().plain
        let album = "\(prose.name()) \(prose.noun())"
        let tracks = prose.dice.roll(1...18)
        let explicitness = prose.dice.pick(["notExplicit", "notExplicit", "notExplicit", "explicit", "cleaned"])
        let isSold = prose.dice.chance(5, of: 6)
        let alone = prose.dice.chance(5, of: 6)
        let head = Body.object([
            "wrapperType": "track", "kind": .string(kind), "artistId": .integer(artistID),
            "collectionId": .integer(collectionID), "trackId": .integer(id), "artistName": .string(artist),
            "collectionName": .string(album), "trackName": .string(name), "collectionCensoredName": .string(album),
            "trackCensoredName": .string(name), "artistViewUrl": .string(link("artist", artistID)),
            "collectionViewUrl": .string(link("album", collectionID) + "&i=\(id)"),
            "trackViewUrl": .string(link("album", collectionID) + "&i=\(id)"),
            "previewUrl": .string("https://audio.example/\(document.serial % 1_000_000_007).m4a"),
        ])
        let tail = Body.object([
            "collectionPrice": when(isSold, price(cents: prose.dice.roll(4...14) * 100 - 1)),
            // Minus one: only with the album.
            "trackPrice": when(isSold, alone ? price(cents: 129) : -1), "releaseDate": .string(document.date.zulu),
            "collectionExplicitness": .string(explicitness), "trackExplicitness": .string(explicitness),
            "discCount": 1, "discNumber": 1, "trackCount": .integer(tracks),
            "trackNumber": .integer(prose.dice.roll(1...tracks)),
            "trackTimeMillis": .integer(prose.dice.roll(61_000...540_000)), "country": .string(store.country),
            "currency": .string(store.currency), "primaryGenreName": .string(musicGenre(&prose)),
            "isStreamable": .bool(prose.dice.chance(9, of: 10)),
        ])
        return joined([head, .object(artwork(document, [30, 60, 100])), tail])
    }

    func album(_ prose: inout Prose, _ document: Document, _ id: Int, _ kind: String) -> JSONValue {
        let artistID = prose.dice.roll(1_000_000...999_999_999)
        let name = prose.title().plain
        let head = Body.object([
            "wrapperType": "collection", "collectionType": .string(kind == "TV Season" ? kind : "Album"),
            "artistId": .integer(artistID), "collectionId": .integer(id), "artistName": .string(prose.person()),
            "collectionName": .string(name), "collectionCensoredName": .string(name),
            "artistViewUrl": .string(link("artist", artistID)), "collectionViewUrl": .string(link("album", id)),
        ])
        let tail = Body.object([
            "collectionPrice": when(prose.dice.chance(5, of: 6), price(cents: prose.dice.roll(4...14) * 100 - 1)),
            "collectionExplicitness": "notExplicit", "trackCount": .integer(prose.dice.roll(1...24)),
            "copyright": .string("℗ \(document.date.isoDay.prefix(4)) \(prose.company())"),
            "country": .string(store.country), "currency": .string(store.currency),
            "releaseDate": .string(document.date.zulu), "primaryGenreName": .string(musicGenre(&prose)),
        ])
        return joined([head, .object(artwork(document, [60, 100])), tail])
    }

    func artist(_ prose: inout Prose, _ id: Int, _ entity: String) -> JSONValue {
        let name = "\(prose.topicText().plain) \(prose.name())"
        return Body.object([
            "wrapperType": "artist", "artistType": .string(entity.hasSuffix("Author") ? "Author" : "Artist"),
            "artistName": .string(name), "artistLinkUrl": .string(link("artist", id)), "artistId": .integer(id),
            "primaryGenreName": .string(musicGenre(&prose)), "primaryGenreId": .integer(prose.dice.roll(2...50)),
        ])
    }

    private func musicGenre(_ prose: inout Prose) -> String {
        prose.dice.pick([
            "Pop", "Rock", "Jazz", "K-Pop", "Classical", "Electronic", "Hip-Hop/Rap", "Folk", "Soundtrack",
        ])
    }
}
