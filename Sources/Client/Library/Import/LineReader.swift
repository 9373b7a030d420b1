import JSON
import RPC
import SearchModel

/// Reads ndjson: an ITEM or a HIT on each line.
struct LineReader: ImportReader {
    private var splitter = RecordSplitter()

    mutating func take(_ bytes: [UInt8]) -> [ImportRecord] { splitter.take(bytes).compactMap(Self.record) }

    mutating func finish() -> [ImportRecord] { splitter.finish().flatMap(Self.record).map { [$0] } ?? [] }

    /// Nil for an empty line.
    private static func record(_ record: RecordSplitter.Record) -> ImportRecord? {
        guard let bytes = record.bytes else { return ImportRecord(line: record.line, outcome: ImportRecord.tooLong) }
        guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
        return ImportRecord(line: record.line, outcome: outcome(bytes))
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
enum SavedMembers {
    /// An item lies three levels deep in a request.
    static let limits = JSONLimits(depthMax: JSONLimits.wire.depthMax - 3, bytesMax: RecordSplitter.bytesMax)

    static let ofHit: [Member] = [
        .id, .source, .kind, .title, .snippet, .url, .author, .published, .publishedPrecision, .thumbnail, .extra,
        .alsoFrom,
    ]
    static let additions: [Member] = [.savedAt, .updatedAt, .tags, .notes, .changes]
    static let ofItem = ofHit + additions

    /// An item as JSON on one line, with only these members.
    static func json(of item: JSONCursor, _ members: [Member] = ofItem) -> [UInt8] {
        JSONWriter.bytes { writer in
            for member in members {
                guard let value = item[member], !value.isNull else { continue }
                writer.name(member)
                writer.rawOnOneLine(value.text)
            }
        }
    }
}
