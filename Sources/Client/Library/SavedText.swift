import JSON
import RPC
import SearchModel

/// A saved item in words; pure.
struct SavedText {
    private static let nameColumnsMax = 48

    let item: JSONCursor

    init(_ item: JSONCursor) {
        self.item = item
    }

    /// Safe on a terminal.
    var id: String { VisibleText.visible(item[.id]?.string ?? "?") }

    /// Its title, as far as it fits into a sentence.
    var name: String {
        let title = item[.title]?.string ?? ""
        let cut = LineWrap.cut(Cell.cells(title.isEmpty ? HitText.untitled : title), columns: Self.nameColumnsMax)
        return "“\(cut.map(\.text).joined())”"
    }

    var notes: [NoteText] { (item[.notes]?.elements ?? []).map(NoteText.init) }

    /// The best rating of its notes as stars; empty without one.
    var stars: String { NoteText.stars(notes.compactMap(\.rating).max()) }

    /// `#읽을것 #여름`; empty without any.
    var tags: String {
        (item[.tags]?.elements ?? []).compactMap(\.string).map { "#" + VisibleText.visible($0) }.joined(separator: " ")
    }

    /// Tags, rating and notes on one line; empty when it has none.
    var additions: String {
        let written = notes.map(\.line).filter { !$0.isEmpty }.joined(separator: " · ")
        return [tags, stars, written].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// What the last time of looking it up has changed: `sale price 20,000 → 18,000 KRW`; nil when nothing was.
    var lastChange: (at: String, text: String)? {
        guard let changes = item[.changes]?.elements, let at = changes.last?[.at]?.string else { return nil }
        let last = changes.filter { $0[.at]?.string.map { $0.hasSameBytes(as: at) } ?? false }
        let texts = last.map { change in
            let field = change[.field]?.string ?? "?"
            let unit = Self.prices.contains(ExactText(field)) ? currency : ""
            // Of two numbers, the currency behind the second one is enough.
            let isPriced = change[.to]?.number != nil
            let from = Self.value(change[.from], isPriced ? "" : unit)
            return "\(ItemFacts.name(field)) \(from) → \(Self.value(change[.to], unit))"
        }
        return (at, texts.joined(separator: ", "))
    }

    private static let prices: [ExactText] = ["price", "salePrice"]

    private var currency: String { item[.extra]?["currency"]?.string.map { " \($0)" } ?? "" }

    /// A value as people read it, with its unit behind a number.
    private static func value(_ value: JSONCursor?, _ unit: String) -> String {
        guard let value, !value.isNull else { return "none" }
        if let text = value.string { return text }
        let text = value.int.map(FigureText.grouped) ?? String(decoding: value.text, as: UTF8.self)
        return value.number == nil ? text : text + unit
    }
}

/// A note in words; pure.
struct NoteText {
    let id: String
    let rating: Int?
    /// When it was written, as RFC 3339 has it.
    let at: String?
    /// The title, and the lines of the text.
    let lines: [String]

    init(_ note: JSONCursor) {
        id = note[.id]?.string ?? "?"
        rating = note[.rating]?.int
        at = note[.at]?.string
        let text = note[.text]?.string ?? ""
        let title = note[.title]?.string ?? ""
        let paragraphs = text.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
        lines =
            title.isEmpty
            ? paragraphs : ["\(title):" + (paragraphs.first.map { " " + $0 } ?? "")] + paragraphs.dropFirst()
    }

    /// All of it on one line.
    var line: String { VisibleText.visible(lines.joined(separator: " ")) }

    /// `★★★★☆`; empty without a rating.
    static func stars(_ rating: Int?) -> String {
        guard let rating, WireBounds.rating.contains(rating) else { return "" }
        let best = WireBounds.rating.upperBound
        return String(repeating: "★", count: rating) + String(repeating: "☆", count: best - rating)
    }
}
