package import JSON
import RPC
package import SearchModel

/// Something that a file has, in the order of the file.
struct ImportRecord {
    /// The number of the line that it begins on.
    let line: Int
    /// An ITEM as JSON, or why it can't be one.
    let outcome: Outcome

    enum Outcome: Equatable {
        case item([UInt8])
        case left(String)
    }

    /// Of more, one record is left out.
    static let bytesMax = 1 << 20

    static let tooLong = Outcome.left("it is longer than 1 MiB")
    static let notText = Outcome.left("it is not UTF-8")
    static let unclosed = Outcome.left("a quote in it is never closed, so that all that follows is in it")
}

/// The kinds of file that can be imported.
enum ImportFormat: Equatable {
    case ndjson
    case csv
    case bookmarks

    /// Knows a file by its beginning.
    ///
    /// - Throws: `usage` for one that can't be imported.
    init(_ beginning: [UInt8]) throws(ClientError) {
        if beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF]) {
            throw Self.notUTF8("UTF-16")
        }
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        switch Self.withoutMark(beginning).first(where: { !blanks.contains($0) }) {
        case UInt8(ascii: "{"): self = .ndjson
        case UInt8(ascii: "<"): self = .bookmarks
        case UInt8(ascii: "["):
            throw Self.refused(
                "the file is one JSON array",
                "Put its elements on lines of their own: jq -c '.[]' FILE."
            )
        case UInt8(ascii: "@"), UInt8(ascii: "%"):
            throw Self.refused("BibTeX can't be imported", "Give ndjson, CSV, or a browser's bookmark file.")
        case nil: throw Self.refused("the file is empty", "Give ndjson, CSV, or a browser's bookmark file.")
        case _: self = .csv
        }
    }

    /// A text without the byte order mark that some programs put before it.
    static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }

    /// Everything that a file has.
    static func records(of file: [UInt8]) throws(ClientError) -> [ImportRecord] {
        try ImportFormat(file).records(withoutMark(file))
    }

    func records(_ bytes: ArraySlice<UInt8>) throws(ClientError) -> [ImportRecord] {
        switch self {
        case .ndjson: LineReader.records(bytes)
        case .csv: try TableReader.records(bytes)
        case .bookmarks: BookmarkReader.records(bytes)
        }
    }

    /// The error of a text in another encoding, which may be `encoding`.
    static func notUTF8(_ encoding: String) -> ClientError {
        refused("the file is not UTF-8", "Convert it first, for example: iconv -f \(encoding) -t UTF-8 FILE >NEW.")
    }

    private static func refused(_ message: String, _ hint: String) -> ClientError {
        ClientError(.usage, message, hint: hint)
    }
}

/// Ratings as other programs write them; pure.
enum ImportNumber {
    /// Nil for what is none of ours.
    static func rating(_ text: String) -> Int? {
        Int(LibraryEntry.line(text)).flatMap { WireBounds.rating.contains($0) ? $0 : nil }
    }

    /// Whether it says that there is no rating: some programs write 0.
    static func isNone(_ text: String) -> Bool { ["", "0"].contains(ExactText(LibraryEntry.line(text))) }
}

/// Times as other programs write them; pure.
enum ImportTime {
    /// After this, a number counts milliseconds or less.
    private static let secondsMax: Int64 = 100_000_000_000

    /// Seconds since 1970 of a number of them, or of a date; nil for anything else.
    static func seconds(_ text: String) -> Int64? {
        let text = LibraryEntry.line(text)
        if var number = Int64(text), number > 9999 {
            while number > secondsMax { number /= 1000 }
            return number
        }
        return published(text).flatMap { RFC3339.epochSeconds($0.text) }
    }

    /// A date as RFC 3339 writes it, and its precision unless that is a second: of `2024`, `2024-03`, `2024-03-09`,
    /// also with slashes or dots, or of an instant.
    static func published(_ text: String) -> (text: String, precision: String?)? {
        var text = LibraryEntry.line(text)
        if text.utf8.count <= 10 { text = text.replacingScalars { $0 == "/" || $0 == "." ? "-" : nil } }
        let (rest, precision): (String, String?) =
            switch text.utf8.count {
            case 4: ("-01-01T00:00:00Z", "year")
            case 7: ("-01T00:00:00Z", "month")
            case 10: ("T00:00:00Z", "day")
            case 19: ("Z", nil)
            default: ("", nil)
            }
        return RFC3339.epochSeconds(text + rest).map { _ in (text + rest, precision) }
    }
}

/// Reads ndjson: an ITEM or a HIT on each line; pure.
enum LineReader {
    static func records(_ file: ArraySlice<UInt8>) -> [ImportRecord] {
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { index, line in
            let bytes = Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
            guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
            let isTooLong = bytes.count > ImportRecord.bytesMax
            return ImportRecord(line: index + 1, outcome: isTooLong ? ImportRecord.tooLong : outcome(bytes))
        }
    }

    private static func outcome(_ bytes: [UInt8]) -> ImportRecord.Outcome {
        let root: JSONCursor
        do {
            root = try JSONDocument(bytes, limits: SavedMembers.limits).root
        } catch {
            return .left("it is not JSON: \(error.message), at byte \(error.offset)")
        }
        guard root.kind == .object else { return .left("it is not a JSON object") }
        if root[.id] != nil { return .item(SavedMembers.json(of: root)) }
        // Others' lists have no ids of ours.
        var entry = LibraryEntry(root)
        entry.title = LibraryEntry.line(entry.title)
        guard let url = entry.url, LibraryEntry.isWebAddress(url) else {
            return .left("it has neither an id nor a url")
        }
        return .item(entry.item)
    }
}

/// The members of an item that are kept: what a search or another program adds is not.
package enum SavedMembers {
    /// An item lies three levels deep in a request.
    static let limits = JSONLimits(depthMax: JSONLimits.wire.depthMax - 3, bytesMax: ImportRecord.bytesMax)

    package static let ofHit: [Member] = [
        .id, .source, .kind, .title, .snippet, .url, .author, .published, .publishedPrecision, .thumbnail, .extra,
        .alsoFrom,
    ]
    package static let additions: [Member] = [.savedAt, .updatedAt, .tags, .notes, .changes]
    static let ofItem = ofHit + additions

    /// An item as JSON on one line, with only these members.
    package static func json(of item: JSONCursor, _ members: [Member] = ofItem) -> [UInt8] {
        JSONWriter.bytes { writer in
            for member in members {
                guard let value = item[member], !value.isNull else { continue }
                writer.name(member)
                writer.rawOnOneLine(value.text)
            }
        }
    }
}
