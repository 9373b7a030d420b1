import JSON

/// Writes the store's records, in the money of one country.
struct ITunesWriter {
    let store: Storefront
    let pictures: Pictures
    /// The key of the search, for the ids.
    let search: UInt32
    let topic: Topic
    let pricePercent: Int

    func record(_ document: Document, _ entity: ITunesEntity) -> JSONValue {
        var prose = Prose(document, topic: topic)
        let id = Self.id(search, document.index, entity.record)
        return switch entity.record {
        case .song: song(&prose, document, id, entity.kindName)
        case .album: album(&prose, document, id, entity.kindName)
        case .app: app(&prose, document, id, entity.kindName)
        case .podcast: podcast(&prose, document, id, entity.kindName)
        case .ebook: ebook(&prose, document, id)
        case .movie: movie(&prose, document, id, entity.kindName)
        case .artist: artist(&prose, id, entity.name)
        case .audiobook: audiobook(&prose, document, id)
        }
    }

    // MARK: Ids

    /// The same in every storefront: the search's key, the index among 256, the form of record.
    static func id(_ search: UInt32, _ index: Int, _ record: ITunesKind) -> Int {
        base + ((Int(search) << 8 | (index & 0xFF)) << 3 | record.rawValue)
    }

    private static let base = 280_000_000

    static func position(of id: Int) -> (search: UInt32, index: Int, record: ITunesKind)? {
        let packed = id - base
        guard packed >= 0, packed < 1 << 35, let record = ITunesKind(rawValue: packed & 7) else { return nil }
        return (UInt32(packed >> 11), packed >> 3 & 0xFF, record)
    }

    /// An app's name for machines ends in its id.
    static func bundle(_ id: Int, maker: String) -> String {
        "example.\(maker).app\(id)"
    }

    static func id(ofBundle bundle: Substring) -> Int? {
        bundle.split(separator: ".").last.flatMap { Int($0.dropFirst("app".utf8.count)) }
    }

    // MARK: Pieces

    /// A price in this country's money; nil for what is not for sale here.
    func price(cents usual: Int) -> JSONValue {
        let cents = usual * pricePercent / 100
        return store.hasWholePrices
            ? .integer(cents * 13 / 1_000 * 1_000 / (store.currency == "JPY" ? 10 : 1)) : .hundredths(cents)
    }

    func formatted(cents: Int) -> String {
        if cents == 0 { return store.currency == "KRW" ? "무료" : "Free" }
        let text: String = if case .number(let number) = price(cents: cents) { number.text } else { "" }
        return switch store.currency {
        case "USD": "$\(text)"
        case "KRW": "₩\(text)"
        case "JPY": "¥\(text)"
        case "GBP": "£\(text)"
        default: "\(text) \(store.currency)"
        }
    }

    /// Where a record is shown to people.
    func link(_ section: String, _ id: Int) -> String {
        "https://store.example/\(store.code.lowercased())/\(section)/x/id\(id)?uo=4"
    }

    /// The picture of a record in several sizes; another size is had by replacing the last part.
    func artwork(_ document: Document, _ sizes: [Int], ending: String = "bb") -> [JSONMember] {
        sizes.map { size in
            JSONMember(
                "artworkUrl\(size)",
                .string(pictures.artwork(document.serial, width: size, height: size, ending))
            )
        }
    }

    /// Members, then more, in one object.
    func joined(_ parts: [JSONValue]) -> JSONValue {
        .object(parts.flatMap { $0.members ?? [] })
    }
}
