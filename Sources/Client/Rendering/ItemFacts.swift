import JSON
import RPC
import SearchModel

/// The facts about a hit, in the order in which `show` prints them.
struct ItemFacts {
    let title: String
    let byline: String
    let description: String
    let rows: [(name: String, value: String)]
    let addresses: [(name: String, value: String)]
    let id: String
    let source: String
    let address: String?

    private static let addressesMax = 3
    private static let names: [(member: String, name: String)] = [
        ("url", "link"), ("image", "picture"), ("isbn10", "ISBN-10"), ("isbn13", "ISBN-13"), ("issn", "ISSN"),
        ("bytes", "size"), ("telephone", "phone"), ("bundleId", "app id"), ("viewability", "preview"),
        ("access", "e-book"),
    ]
    /// Members of `extra` that other lines already show.
    private static let said = [
        "authors", "publisher", "description", "price", "salePrice", "formattedPrice", "currency", "rating",
        "ratingCount",
    ]

    /// Members of a hit that other lines show, or that only programs need.
    private static let known = [
        Member.id, .source, .kind, .title, .snippet, .marks, .url, .author, .published, .publishedPrecision, .thumbnail,
        .rank, .extra, .alsoFrom, .raw, .saved, .savedAt, .updatedAt, .tags, .notes, .changes,
    ].map(\.description)

    init(_ hit: JSONCursor, zone: LocalZone) {
        let found = FoundHit(hit)
        let extra = hit[.extra]
        (title, id, source) = (found.title, found.id, found.source)
        address = found.url.flatMap { $0.isEmpty ? nil : $0 }
        let people = extra?["authors"].map { Self.words($0, named: "", zone) } ?? found.author
        let publisher = extra?["publisher"].map { Self.words($0, named: "", zone) }
        var line: [String] = []
        for part in [people, publisher, found.published?.text(in: zone)].compactMap(\.self)
        where !part.isEmpty && !line.contains(where: { $0.hasSameBytes(as: part) }) {
            line.append(part)
        }
        byline = line.joined(separator: " · ")
        let (long, short) = (extra?["description"]?.string ?? "", found.snippet ?? "")
        description = long.utf8.count >= short.utf8.count ? long : short

        var rows = extra.map(Self.figures) ?? []
        var addresses: [(name: String, value: String)] = []
        func add(_ address: String, as name: String) {
            if !addresses.contains(where: { $0.value.hasSameBytes(as: address) }) { addresses.append((name, address)) }
        }
        if let address { add(address, as: Self.name("url")) }
        let others =
            (extra?.members ?? [])
            + hit.members.filter { member in !Self.known.contains { $0.hasSameBytes(as: member.name) } }
        for (name, value) in others where !Self.said.contains(where: { $0.hasSameBytes(as: name) }) {
            let texts = (value.kind == .array ? value.elements : [value]).compactMap(\.string)
            let words = Self.words(value, named: name, zone)
            if !texts.isEmpty, texts.allSatisfy(Self.isAddress) {
                for text in texts.prefix(Self.addressesMax) { add(text, as: Self.name(name)) }
            } else if !words.isEmpty, !words.hasSameBytes(as: description) {
                rows.append((Self.name(name), words))
            }
        }
        if rows.contains(where: { $0.name == "genres" }) { rows.removeAll { $0.name == "genre" } }
        let thumbnail = hit[.thumbnail]?.string
        if let thumbnail, extra?["image"] == nil { add(thumbnail, as: "thumbnail") }
        self.rows = rows
        self.addresses = addresses
    }

    static func isAddress(_ text: String) -> Bool {
        let bytes = text.utf8
        return (bytes.starts(with: "https://".utf8) || bytes.starts(with: "http://".utf8))
            && !bytes.contains(UInt8(ascii: " "))
    }

    static func figures(_ extra: JSONCursor) -> [(name: String, value: String)] {
        var rows: [(name: String, value: String)] = []
        let currency = extra["currency"]?.string.map { " \($0)" } ?? ""
        func price(_ name: String) -> String? {
            extra[name].flatMap { value in value.double.map { $0 == 0 ? "free" : number(value) + currency } }
        }
        let (full, asked) = (price("price"), price("salePrice"))
        let isReduced = (extra["salePrice"]?.double ?? .infinity) < (extra["price"]?.double ?? 0)
        if let price = asked ?? full {
            rows.append(("price", isReduced ? "\(price), instead of \(full ?? "")" : price))
        } else if let text = extra["formattedPrice"]?.string {
            rows.append(("price", text))
        }
        if let rating = extra["rating"], rating.double != 0 {
            let count = extra["ratingCount"]?.int.map { ", \(NumberText.count($0, "rating"))" } ?? ""
            let best = (0...5).contains(rating.double ?? 0) ? " of 5" : ""
            rows.append(("rating", "★ \(number(rating))\(best)\(count)"))
        }
        return rows
    }

    private static func words(_ value: JSONCursor, named name: String, _ zone: LocalZone) -> String {
        switch value.kind {
        case .array: return value.elements.map { words($0, named: name, zone) }.joined(separator: ", ")
        case .object:
            return value.members.map { "\($0.name) \(words($0.value, named: "", zone))" }.joined(separator: ", ")
        case .bool: return value.bool == true ? "yes" : "no"
        case .number where name.hasSameBytes(as: "bytes"): return value.int.map(NumberText.bytes) ?? number(value)
        // The member `number` identifies something, such as an issue, so its digits are not grouped.
        case .number where name.hasSameBytes(as: "number"): return String(decoding: value.text, as: UTF8.self)
        case .number where name.hasSameBytes(as: "duration"):
            return value.double.map { NumberText.time(milliseconds: $0 * 1000) } ?? number(value)
        case .number: return number(value)
        case .string:
            var text = value.string ?? ""
            if text.utf8.allSatisfy({ $0.isSmallLetter || $0 == UInt8(ascii: "_") }) { text.replace("_", with: " ") }
            return PublishedTime(text, precision: nil)?.text(in: zone) ?? text
        case .null: return ""
        }
    }

    private static func number(_ value: JSONCursor) -> String {
        value.int.map(NumberText.grouped) ?? String(decoding: value.text, as: UTF8.self)
    }

    static func name(_ member: String) -> String {
        if let known = names.first(where: { $0.member.hasSameBytes(as: member) }) { return known.name }
        var words: [String.UnicodeScalarView] = [String.UnicodeScalarView()]
        var wasSmall = false
        for scalar in member.unicodeScalars {
            let isLarge = ("A"..."Z").contains(scalar)
            if isLarge, wasSmall { words.append(String.UnicodeScalarView()) }
            words[words.count - 1].append(scalar)
            wasSmall = !isLarge
        }
        return words.map(String.init).map {
            $0.utf8.dropFirst().contains { (0x41...0x5A).contains($0) } ? $0 : $0.lowercased()
        }
        .joined(separator: " ")
    }
}
