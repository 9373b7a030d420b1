package import JSON
import RPC
import SearchModel

/// Formats the members of a saved item as text.
package struct SavedText {
    private static let nameColumnsMax = 48

    package let item: JSONCursor

    package init(_ item: JSONCursor) {
        self.item = item
    }

    package var id: String { VisibleText.visible(item[.id]?.string ?? "?") }

    package var name: String {
        let title = item[.title]?.string ?? ""
        return "“\((title.isEmpty ? HitText.untitled : title).cut(columns: Self.nameColumnsMax))”"
    }

    package var notes: [NoteText] { (item[.notes]?.elements ?? []).map(NoteText.init) }

    package var stars: String { NoteText.stars(notes.compactMap(\.rating).last) }

    package var tags: String {
        VisibleText.visible(Self.text(ofTags: (item[.tags]?.elements ?? []).compactMap(\.string)))
    }

    /// A tag with a space is quoted, such as `#“a b”`.
    static func text(ofTags tags: [String]) -> String {
        tags.map { $0.utf8.contains(UInt8(ascii: " ")) ? "#“\($0)”" : "#\($0)" }.joined(separator: " ")
    }

    package var additions: String {
        let written = notes.map(\.line).filter { !$0.isEmpty }.joined(separator: " · ")
        return [tags, stars, written].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    var lastChange: (at: String, text: String)? {
        guard let changes = item[.changes]?.elements, let at = changes.last?[.at]?.string else { return nil }
        func value(_ value: JSONCursor?) -> String {
            guard let value, !value.isNull else { return "none" }
            return value.string ?? value.int.map(NumberText.grouped) ?? String(decoding: value.text, as: UTF8.self)
        }
        let texts = changes.filter { $0[.at]?.string?.hasSameBytes(as: at) == true }.map { change in
            "\(ItemFacts.name(change[.field]?.string ?? "?")) \(value(change[.from])) → \(value(change[.to]))"
        }
        return (at, texts.joined(separator: ", "))
    }
}

package struct NoteText {
    package let rating: Int?
    package let lines: [String]

    package init(_ note: JSONCursor) {
        rating = note[.rating]?.int
        let text = note[.text]?.string ?? ""
        let title = note[.title]?.string ?? ""
        let paragraphs = text.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
        lines =
            title.isEmpty
            ? paragraphs : ["\(title):" + (paragraphs.first.map { " " + $0 } ?? "")] + paragraphs.dropFirst()
    }

    package var line: String { VisibleText.visible(lines.joined(separator: " ")) }

    package static func stars(_ rating: Int?) -> String {
        guard let rating, WireBounds.rating.contains(rating) else { return "" }
        let best = WireBounds.rating.upperBound
        return String(repeating: "★", count: rating) + String(repeating: "☆", count: best - rating)
    }
}

/// Finds a saved item by the beginning of its id.
struct SavedItemPrefix {
    private static let itemsMax = 1000

    private let context: Context

    init(_ context: Context) { self.context = context }

    /// Throws `usage` if several items match.
    func item(_ word: String) throws(ClientError) -> JSONCursor? {
        guard let pattern = Self.pattern(word) else { return nil }
        do throws(ClientError) {
            return try Connector(context).withExchange { exchange throws(ClientError) in
                if HitSelection.isID(word), let item = try exchange.savedItem(word) { return item }
                let params = JSONWriter.bytes { writer in
                    writer.member(.sources, [pattern])
                    writer.member(.limit, Self.itemsMax)
                }
                let page = try exchange.ask(.libraryList, params: params)
                let items = page[.items]?.elements ?? []
                let found = items.filter { $0[.id]?.string?.utf8.starts(with: word.utf8) ?? false }
                if found.count > 1 { throw HitSelection.ambiguous(word, among: found) }
                guard page[.next]?.string == nil else {
                    throw ClientError(.usage, "too many saved items match \(pattern)", hint: "Give the whole id.")
                }
                return found.first
            }
        } catch {
            throw OptionWords.translate(error)
        }
    }

    func selection(hitsMax: Int, isLenient: Bool = false) -> HitSelection {
        HitSelection(LastSearchStore.last(context), hitsMax: hitsMax) { word throws(ClientError) in
            do throws(ClientError) {
                return try item(word)
            } catch  where isLenient && error.code != .usage {
                return nil
            }
        }
    }

    /// Returns a source pattern for ids that begin with `word`, or nil if no id can begin with `word`.
    static func pattern(_ word: String) -> String? {
        let name = word.utf8.prefix { $0 != UInt8(ascii: ":") }
        let isName = name.allSatisfy { $0.isSmallLetter || $0.isDigit || ".-_".utf8.contains($0) }
        guard !name.isEmpty, name.count <= SourceName.bytesMax, isName else { return nil }
        let source = String(Substring(name))
        return name.count == word.utf8.count ? source + "*" : SourceName(source)?.text
    }
}

extension DaemonConnection {
    package mutating func savedItem(_ id: String) throws(ClientError) -> JSONCursor? {
        do throws(ClientError) {
            return try ask(.libraryGet, params: JSONWriter.bytes { $0.member(.id, id) })[.item]
        } catch  where error.code == .init(.notFound) {
            return nil
        }
    }
}
