import JSON

extension GoogleWriter {
    func saleInfo(_ document: Document, id: String) -> JSONValue {
        var dice = Dice(document.serial, 0x5A1E)
        let states: [String] =
            switch query.variant.filter {
            case "free-ebooks", "full": ["FREE"]
            case "paid-ebooks", "ebooks": ["FOR_SALE", "FOR_SALE_AND_RENTAL"]
            default: ["FOR_SALE", "NOT_FOR_SALE", "NOT_FOR_SALE", "FREE", "FOR_PREORDER", "FOR_SALE_AND_RENTAL"]
            }
        let state = dice.pick(states)
        let isSold = state.hasPrefix("FOR_")
        let full = price(dice.roll(3...60))
        let reduced = price(dice.roll(2...50))
        let buyLink = "https://play.google.example/store/books/details?id=\(id)"
        return Body.object([
            "country": .string(query.country), "saleability": .string(state), "isEbook": .bool(state != "NOT_FOR_SALE"),
            "listPrice": when(isSold, full), "retailPrice": when(isSold, reduced),
            "buyLink": when(state != "NOT_FOR_SALE", .string(buyLink)),
            "onSaleDate": when(state == "FOR_PREORDER", .string(document.date.zulu)),
        ])
    }

    func accessInfo(_ document: Document, id: String) -> JSONValue {
        var dice = Dice(document.serial, 0xACCE)
        let view = dice.pick(["NO_PAGES", "NO_PAGES", "PARTIAL", "ALL_PAGES", "UNKNOWN"])
        let isWhole = view == "ALL_PAGES"
        let status = isWhole ? "FULL_PUBLIC_DOMAIN" : view == "PARTIAL" ? "SAMPLE" : "NONE"
        let link = "http://play.google.example/books/reader?id=\(id)&hl=&source=gbs_api"
        let download = when(isWhole, .string("http://books.google.example/books/download/x.epub?id=\(id)"))
        return Body.object([
            "country": .string(query.country), "viewability": .string(view), "embeddable": .bool(view != "NO_PAGES"),
            "publicDomain": .bool(isWhole), "textToSpeechPermission": "ALLOWED",
            "epub": Body.object(["isAvailable": .bool(isWhole), "downloadLink": download]),
            "pdf": ["isAvailable": .bool(dice.chance(1, of: 3))], "webReaderLink": .string(link),
            "accessViewStatus": .string(status), "quoteSharingAllowed": false,
        ])
    }

    /// In the country's money; of won and yen there are no hundredths.
    private func price(_ units: Int) -> JSONValue {
        switch query.country {
        case "KR": ["amount": .integer(units * 500 * pricePercent / 100), "currencyCode": "KRW"]
        case "JP": ["amount": .integer(units * 60 * pricePercent / 100), "currencyCode": "JPY"]
        case "GB": ["amount": .hundredths((units * 100 - 1) * pricePercent / 100), "currencyCode": "GBP"]
        default: ["amount": .hundredths((units * 100 - 1) * pricePercent / 100), "currencyCode": "USD"]
        }
    }
}
