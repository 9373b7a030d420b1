package import JSON
import RPC
package import SearchModel

/// An item of an imported file, or the reason why it is skipped.
struct ImportRecord {
    let line: Int
    let outcome: Outcome

    enum Outcome: Equatable {
        case item([UInt8])
        case left(String)
    }
}

enum ImportFormat: Equatable {
    case ndjson
    case csv
    case bookmarks

    private static let formats = "Use ndjson, CSV, or a browser's bookmark file."

    init(_ file: ArraySlice<UInt8>) throws(ClientError) {
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        switch file.first(where: { !blanks.contains($0) }) {
        case UInt8(ascii: "{"): self = .ndjson
        case UInt8(ascii: "<"): self = .bookmarks
        case UInt8(ascii: "["):
            throw ClientError(
                .usage,
                "the file is one JSON array",
                hint: "Convert it to one element per line with: jq -c '.[]' FILE."
            )
        case nil: throw ClientError(.usage, "nothing to import: the input is empty", hint: Self.formats)
        case _: self = .csv
        }
    }

    static func records(of file: [UInt8]) throws(ClientError) -> [ImportRecord] {
        if file.starts(with: [0x1F, 0x8B]) {
            throw ClientError(.usage, "the file is compressed", hint: "Unpack it first: gunzip FILE.gz.")
        }
        guard String(validating: file, as: UTF8.self) != nil else {
            let encoding = file.starts(with: [0xFF, 0xFE]) || file.starts(with: [0xFE, 0xFF]) ? "UTF-16" : "CP949"
            let command = "iconv -f \(encoding) -t UTF-8 FILE >NEW"
            throw ClientError(.usage, "the file is not UTF-8", hint: "Convert it first, for example: \(command).")
        }
        let text = file.starts(with: [0xEF, 0xBB, 0xBF]) ? file.dropFirst(3) : file[...]
        return try ImportFormat(text).records(text)
    }

    func records(_ text: ArraySlice<UInt8>) throws(ClientError) -> [ImportRecord] {
        switch self {
        case .ndjson: LineReader.records(text)
        case .csv: try TableReader.records(text)
        case .bookmarks: BookmarkReader.records(text)
        }
    }
}

/// Parses the times and ratings of imported items.
enum ImportTime {
    private static let secondsMax: Int64 = 100_000_000_000

    static func rating(_ text: String) -> Int? {
        Int(LibraryEntry.line(text)).flatMap { WireBounds.rating.contains($0) ? $0 : nil }
    }

    static func seconds(_ text: String) -> Int64? {
        let text = LibraryEntry.line(text)
        if var number = Int64(text), number > 9999 {
            while number > secondsMax { number /= 1000 }
            return number
        }
        return published(text).flatMap { RFC3339.epochSeconds($0.text) }
    }

    /// Parses `2024`, `2024-03`, `2024-03-09` (also with slashes or dots) or a full time in RFC 3339.
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

/// Reads ndjson: each line is an item or a hit.
enum LineReader {
    static func records(_ file: ArraySlice<UInt8>) -> [ImportRecord] {
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { index, line in
            guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { return nil }
            return ImportRecord(line: index + 1, outcome: outcome(Array(line)))
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
        var entry = LibraryEntry(root)
        entry.title = LibraryEntry.line(entry.title)
        guard let url = entry.url, LibraryEntry.isWebAddress(url) else {
            return .left("it has neither an id nor a url")
        }
        return .item(entry.item)
    }
}

/// The members of a hit or a saved item that are sent to the library.
package enum SavedMembers {
    static let limits = JSONLimits(depthMax: JSONLimits.wire.depthMax - 3, bytesMax: 1 << 20)

    package static let ofHit: [Member] = [
        .id, .source, .kind, .title, .snippet, .url, .author, .published, .publishedPrecision, .thumbnail, .extra,
        .alsoFrom,
    ]
    package static let additions: [Member] = [.savedAt, .updatedAt, .tags, .notes, .changes]

    package static func json(of item: JSONCursor, _ members: [Member] = ofHit + additions) -> [UInt8] {
        JSONWriter.bytes { writer in
            for member in members {
                guard let value = item[member], !value.isNull else { continue }
                writer.name(member)
                writer.rawOnOneLine(value.text)
            }
        }
    }
}

extension JSONCursor {
    func adding(_ others: [JSONMember]) -> JSONCursor {
        guard !others.isEmpty else { return self }
        let kept = (value.members ?? []).filter { member in !others.contains { $0.name == member.name } }
        return (try? JSONDocument(JSONValue.object(kept + others).bytes).root) ?? self
    }
}
