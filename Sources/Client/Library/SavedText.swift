package import JSON
import RPC
import SearchModel

/// A saved item in words; pure.
package struct SavedText {
    private static let nameColumnsMax = 48

    package let item: JSONCursor

    package init(_ item: JSONCursor) {
        self.item = item
    }

    /// Safe on a terminal.
    package var id: String { VisibleText.visible(item[.id]?.string ?? "?") }

    /// Its title, as far as it fits into a sentence.
    package var name: String {
        let title = item[.title]?.string ?? ""
        let cut = LineWrap.cut(Cell.cells(title.isEmpty ? HitText.untitled : title), columns: Self.nameColumnsMax)
        return "“\(cut.map(\.text).joined())”"
    }

    package var notes: [NoteText] { (item[.notes]?.elements ?? []).map(NoteText.init) }

    /// The best rating of its notes as stars; empty without one.
    package var stars: String { NoteText.stars(notes.compactMap(\.rating).max()) }

    /// `#읽을것 #여름`; empty without any.
    package var tags: String {
        (item[.tags]?.elements ?? []).compactMap(\.string).map { "#" + VisibleText.visible($0) }.joined(separator: " ")
    }

    /// Tags, rating and notes on one line; empty when it has none.
    package var additions: String {
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
package struct NoteText {
    package let id: String
    package let rating: Int?
    /// When it was written, as RFC 3339 has it.
    package let at: String?
    /// The title, and the lines of the text.
    package let lines: [String]

    package init(_ note: JSONCursor) {
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
    package var line: String { VisibleText.visible(lines.joined(separator: " ")) }

    /// `★★★★☆`; empty without a rating.
    package static func stars(_ rating: Int?) -> String {
        guard let rating, WireBounds.rating.contains(rating) else { return "" }
        let best = WireBounds.rating.upperBound
        return String(repeating: "★", count: rating) + String(repeating: "☆", count: best - rating)
    }
}

/// Finds a saved item by its id or a beginning of it, which the daemon does not look for: it lists those of the sources
/// that fit.
struct SavedBeginning {
    /// So many items are looked through at most.
    static let itemsMax = 10_000
    private static let pageItemsMax = 1000

    let arguments: Arguments
    let context: Context

    /// The only item whose id begins so, or the one whose id it is; nil when there is none.
    ///
    /// - Throws: `usage` when several begin so; what the daemon says.
    func item(_ word: String) throws(ClientError) -> JSONCursor? {
        guard let pattern = Self.pattern(word) else { return nil }
        do throws(ClientError) {
            return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
                if HitSelection.isID(word), let item = try exchange.savedItem(word) { return item }
                return try beginning(word, pattern, &exchange)
            }
        } catch {
            throw LibraryCall.inWords(error)
        }
    }

    /// The same, and nil when the daemon can't be asked: what was listed is known without it.
    func itemIfAny(_ word: String) throws(ClientError) -> JSONCursor? {
        do throws(ClientError) {
            return try item(word)
        } catch  where error.code != .usage {
            return nil
        }
    }

    /// The sources that an id with this beginning may have; nil when there are none.
    static func pattern(_ word: String) -> String? {
        let bytes = Array(word.utf8)
        let name = bytes.prefix { $0 != UInt8(ascii: ":") }
        let isName = name.allSatisfy {
            $0.isSmallLetter || $0.isDigit || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
        }
        guard !name.isEmpty, name.count <= SourceName.bytesMax, isName else { return nil }
        let source = String(decoding: name, as: UTF8.self)
        return name.count == bytes.count ? source + "*" : SourceName(source)?.text
    }

    private func beginning(
        _ word: String,
        _ pattern: String,
        _ exchange: inout DaemonConnection
    ) throws(ClientError) -> JSONCursor? {
        var found: [JSONCursor] = []
        var cursor: String?
        var looked = 0
        repeat {
            let params = JSONWriter.bytes { writer in
                writer.member(.sources, [pattern])
                writer.member(.limit, Self.pageItemsMax)
                writer.member(.cursor, cursor)
            }
            let page = try exchange.ask(.libraryList, params: params, within: LibraryCall.timeoutSeconds)
            let items = page[.items]?.elements ?? []
            looked += items.count
            found += items.filter { $0[.id]?.string?.utf8.starts(with: word.utf8) ?? false }
            cursor = page[.next]?.string
            // What has no key yet begins all of them.
            if found.count > 1, !word.utf8.contains(UInt8(ascii: ":")) {
                throw HitSelection.ambiguous(word, among: found, count: page[.total]?.int ?? found.count)
            }
        } while cursor != nil && looked < Self.itemsMax
        if cursor != nil {
            throw ClientError(
                .usage,
                "more than \(FigureText.grouped(Self.itemsMax)) saved items are from \(pattern)",
                hint: "Give the whole id."
            )
        }
        guard found.count <= 1 else { throw HitSelection.ambiguous(word, among: found, count: found.count) }
        return found.first
    }
}

extension DaemonConnection {
    /// The saved item with an id; nil when there is none.
    package mutating func savedItem(_ id: String) throws(ClientError) -> JSONCursor? {
        do throws(ClientError) {
            let params = JSONWriter.bytes { $0.member(.id, id) }
            return try ask(.libraryGet, params: params, within: LibraryCall.timeoutSeconds)[.item]
        } catch  where error.code == .init(.notFound) {
            return nil
        }
    }
}
