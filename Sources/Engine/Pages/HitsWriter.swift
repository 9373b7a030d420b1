import Catalogue
import JSON
import SearchModel

/// Serialises the hits of a page, one after the other, and remembers where each stands.
struct HitsWriter {
    /// What a hit mostly has, in bytes, beside its texts and marks: names, source, kind, date, rank.
    private static let additionBytes = 240
    /// What a mark has: two numbers with their brackets.
    private static let markBytes = 10

    private var writer = JSONWriter()
    private var rawWriter = JSONWriter()

    /// Makes room for hits like these.
    init(_ hits: [Hit]) {
        var (bytes, rawBytes) = (0, 0)
        // Looked at where they are: a copy of a hit counts a dozen references.
        let all = hits.span
        for index in all.indices {
            bytes += Self.additionBytes + all[index].extraText.count
            bytes += (all[index].titleMarks.count + all[index].snippetMarks.count) * Self.markBytes
            bytes += all[index].id.utf8.count + all[index].title.utf8.count + (all[index].snippet?.utf8.count ?? 0)
            bytes += (all[index].url?.utf8.count ?? 0) + (all[index].author?.utf8.count ?? 0)
            bytes += all[index].thumbnail?.utf8.count ?? 0
            rawBytes += all[index].raw.count + 1
        }
        writer.bytes.reserveCapacity(bytes)
        rawWriter.bytes.reserveCapacity(rawBytes)
    }

    /// The hits as JSON objects, joined by commas.
    var bytes: [UInt8] { writer.bytes }
    /// The sources' own documents, joined by commas; there is hardly room to spare.
    var raw: [UInt8] { rawWriter.bytes }

    mutating func append(_ hits: [Hit]) -> [CachedPage.Entry] {
        var entries: [CachedPage.Entry] = []
        entries.reserveCapacity(hits.count)
        let all = hits.span
        for index in all.indices { entries.append(append(all[index])) }
        return entries
    }

    private mutating func append(_ hit: borrowing Hit) -> CachedPage.Entry {
        let start = writer.bytes.isEmpty ? 0 : writer.bytes.count + 1
        hit.write(to: &writer, withRaw: false)
        return CachedPage.Entry(
            id: hit.id,
            title: hit.title,
            publishedSeconds: hit.published?.epochSeconds,
            identity: ItemIdentity(hit),
            range: start..<writer.bytes.count,
            rawRange: appendRaw(hit.raw)
        )
    }

    private mutating func appendRaw(_ raw: ArraySlice<UInt8>) -> Range<Int> {
        let written = rawWriter.bytes.count
        guard !raw.isEmpty else { return written..<written }
        rawWriter.rawOnOneLine(raw)
        return (written == 0 ? 0 : written + 1)..<rawWriter.bytes.count
    }
}
