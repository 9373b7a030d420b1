import JSON

extension ITunesWriter {
    private static let genres: [(id: Int, name: String)] = [
        (6002, "Utilities"), (6003, "Travel"), (6005, "Social Networking"), (6007, "Productivity"),
        (6008, "Photo & Video"),
        (6011, "Music"), (6012, "Lifestyle"), (6013, "Health & Fitness"), (6014, "Games"), (6017, "Education"),
        (6018, "Books"), (6023, "Food & Drink"),
    ]

    func app(_ prose: inout Prose, _ document: Document, _ id: Int, _ kind: String) -> JSONValue {
        let name = prose.title().plain
        let maker = prose.company()
        let artistID = prose.dice.roll(1_000_000...999_999_999)
        let genres = [prose.dice.pick(Self.genres), prose.dice.pick(Self.genres)]
        let cents = prose.dice.chance(1, of: 4) ? prose.dice.roll(1...20) * 100 - 1 : 0
        let rating = prose.dice.roll(100...500)
        let count = prose.dice.roll(0...200_000)
        let advisory = prose.dice.pick(["4+", "4+", "9+", "12+", "17+"])
        let isMac = kind == "mac-software"
        let screens = (0..<prose.dice.roll(2...6)).map { shot in
            pictures.artwork(document.serial &+ UInt64(shot + 1), width: 392, height: 696, "bb")
        }
        let version = "\(prose.dice.roll(1...12)).\(prose.dice.roll(10)).\(prose.dice.roll(10))"
        let released = Timestamp(seconds: document.date.seconds - prose.dice.roll(90_000_000))
        let head = Body.object([
            "screenshotUrls": .strings(screens), "ipadScreenshotUrls": [], "appletvScreenshotUrls": when(!isMac, []),
            "artistViewUrl": .string(link("developer", artistID)), "features": when(!isMac, ["iosUniversal"]),
            "supportedDevices": when(!isMac, ["iPhone17-iPhone17", "iPadPro-iPadPro"]), "advisories": [],
            "isGameCenterEnabled": false, "kind": .string(kind), "averageUserRating": .hundredths(rating),
            "averageUserRatingForCurrentVersion": .hundredths(rating), "trackContentRating": .string(advisory),
            "minimumOsVersion": .string("\(prose.dice.roll(9...18)).0"),
            "fileSizeBytes": .string(String(prose.dice.roll(900_000...900_000_000))),
            "formattedPrice": .string(formatted(cents: cents)), "userRatingCount": .integer(count),
            "userRatingCountForCurrentVersion": .integer(count), "contentAdvisoryRating": .string(advisory),
            "trackViewUrl": .string(link("app", id)), "trackCensoredName": .string(name),
            "languageCodesISO2A": ["EN", "KO"], "releaseNotes": when(prose.dice.chance(4, of: 5), notes(&prose)),
        ])
        let tail = Body.object([
            "bundleId": .string(Self.bundle(id, maker: prose.handle())), "releaseDate": .string(released.zulu),
            "genreIds": .strings(genres.map { String($0.id) }), "primaryGenreName": .string(genres[0].name),
            "primaryGenreId": .integer(genres[0].id), "trackId": .integer(id), "trackName": .string(name),
            "sellerName": .string(maker),
            "sellerUrl": when(prose.dice.chance(1, of: 2), .string("https://maker.example/")),
            "currentVersionReleaseDate": .string(document.date.zulu), "version": .string(version),
            "wrapperType": "software", "currency": .string(store.currency),
            "description": .string(prose.snippet(sentences: 4).plain), "artistId": .integer(artistID),
            "artistName": .string(maker), "genres": .strings(genres.map(\.name)), "price": price(cents: cents),
            "isVppDeviceBasedLicensingEnabled": true,
        ])
        return joined([head, .object(artwork(document, [60, 100, 512])), tail])
    }

    private func notes(_ prose: inout Prose) -> JSONValue {
        .string("• \(prose.adjective()) \(prose.noun())\n• \(prose.noun())")
    }
}
