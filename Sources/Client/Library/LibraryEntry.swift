import JSON
import RPC
import SearchModel

/// A saved item, for exports and imports.
struct LibraryEntry {
    struct Note: Equatable {
        var title: String?
        var text: String?
        var rating: Int?

        var isEmpty: Bool { title == nil && text == nil && rating == nil }

        init(title: String? = nil, text: String? = nil, rating: Int? = nil) {
            (self.title, self.text, self.rating) = (title, text, rating)
        }

        init(_ note: JSONCursor) {
            self.init(title: note[.title]?.string, text: note[.text]?.string, rating: note[.rating]?.int)
        }

        func write(to writer: inout JSONWriter) {
            writer.member(.title, title)
            writer.member(.text, text)
            writer.member(.rating, rating)
        }
    }

    var id: String?
    var kind = Self.webKind
    var title = ""
    var url: String?
    var author: String?
    var published: String?
    var precision: String?
    var snippet: String?
    var thumbnail: String?
    var extra: JSONCursor?
    var alsoFrom: [String] = []
    /// Seconds since 1970.
    var savedAt: Int64?
    var updatedAt: Int64?
    var tags: [String] = []
    var notes: [Note] = []

    static let importedSource = "imported.web"
    static let webKind = "web"

    init() {}

    init(_ item: JSONCursor) {
        id = item[.id]?.string
        kind = item[.kind]?.string ?? Self.webKind
        title = item[.title]?.string ?? ""
        url = item[.url]?.string
        author = item[.author]?.string
        published = item[.published]?.string
        precision = item[.publishedPrecision]?.string
        snippet = item[.snippet]?.string
        thumbnail = item[.thumbnail]?.string
        extra = item[.extra]
        alsoFrom = (item[.alsoFrom]?.elements ?? []).compactMap(\.string)
        savedAt = item[.savedAt]?.string.flatMap { RFC3339.epochSeconds($0) }
        updatedAt = item[.updatedAt]?.string.flatMap { RFC3339.epochSeconds($0) }
        tags = (item[.tags]?.elements ?? []).compactMap(\.string)
        notes = (item[.notes]?.elements ?? []).map(Note.init)
    }

    var source: String {
        id.map { String(Substring($0.utf8.prefix { $0 != UInt8(ascii: ":") })) } ?? Self.importedSource
    }

    var publishedTime: PublishedTime? { published.flatMap { PublishedTime($0, precision: precision) } }

    /// The item as JSON.
    ///
    /// A missing id is made from the address, or without an address from the title and the author.
    var item: [UInt8] {
        JSONWriter.bytes { writer in
            let id = id ?? "\(Self.importedSource):\(StableHash.text(of: url ?? "\(title)\n\(author ?? "")"))"
            writer.member(.id, id)
            writer.member(.source, String(Substring(id.utf8.prefix { $0 != UInt8(ascii: ":") })))
            writer.member(.kind, kind)
            writer.member(.title, title.isEmpty ? url ?? "" : title)
            writer.member(.snippet, snippet)
            writer.member(.url, url)
            writer.member(.author, author)
            writer.member(.published, published)
            writer.member(.publishedPrecision, precision)
            writer.member(.thumbnail, thumbnail)
            if let extra { writer.member(.extra, raw: extra.text) }
            if !alsoFrom.isEmpty { writer.member(.alsoFrom, alsoFrom) }
            writer.member(.savedAt, savedAt.map(RFC3339.text))
            writer.member(.updatedAt, updatedAt.map(RFC3339.text))
            if !tags.isEmpty { writer.member(.tags, tags) }
            guard !notes.isEmpty else { return }
            writer.array(.notes) { writer in for note in notes { writer.object { note.write(to: &$0) } } }
        }
    }

    static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        var isBlankPending = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
                isBlankPending = !line.isEmpty
            } else {
                if isBlankPending { line.append(" ") }
                isBlankPending = false
                line.append(scalar)
            }
        }
        return String(line)
    }

    static func lines(_ text: String) -> String? {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isKept = scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
            if isKept { kept.append(scalar) }
        }
        let trimmed = kept.drop { $0.properties.isWhitespace }
        let end = trimmed.lastIndex { !$0.properties.isWhitespace }.map { trimmed.index(after: $0) }
        return end.map { String(Substring(trimmed[..<$0])) }
    }

    static func isWebAddress(_ text: String) -> Bool {
        let start = text.utf8.prefix(8).map { $0 | 0x20 }
        return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }
}

/// Formats and parses tags.
///
/// A backslash escapes a comma, bar or backslash in a tag.
package enum TagList {
    package static func text(_ tags: [String]) -> String {
        tags.map { $0.replacingScalars { "\\,|".unicodeScalars.contains($0) ? "\\\($0)" : nil } }.joined(separator: ",")
    }

    package static func tags(_ text: String) -> [String] {
        var tags: [String.UnicodeScalarView] = [String.UnicodeScalarView()]
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if !isEscaped, scalar == "\\" {
                isEscaped = true
            } else if !isEscaped, scalar == "," || scalar == "|" {
                tags.append(String.UnicodeScalarView())
            } else {
                tags[tags.count - 1].append(scalar)
                isEscaped = false
            }
        }
        return tags.map { tag in
            let line = LibraryEntry.line(String(tag))
            return line.utf8.first == UInt8(ascii: "#") ? String(Substring(line.utf8.dropFirst())) : line
        }.filter { !$0.isEmpty }
    }
}
