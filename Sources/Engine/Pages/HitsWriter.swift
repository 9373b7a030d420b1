import Catalogue
import JSON
import SearchModel

/// Serialises the hits of a page, one after the other, and remembers where each stands.
struct HitsWriter {
    /// What a hit may have, in bytes, beside its texts: its id, its source's name, its marks, its addresses.
    private static let additionBytes = 600

    private var writer = JSONWriter()
    private var rawWriter = JSONWriter()

    /// Makes room for hits like these.
    init(_ hits: [Hit]) {
        let rawBytes = hits.reduce(0) { $0 + $1.raw.count + 1 }
        let extraBytes = hits.reduce(0) {
            $0 + $1.extraText.count + $1.title.utf8.count + ($1.snippet?.utf8.count ?? 0)
        }
        writer.bytes.reserveCapacity(extraBytes + hits.count * Self.additionBytes)
        rawWriter.bytes.reserveCapacity(rawBytes)
    }

    /// The hits as JSON objects, joined by commas.
    var bytes: [UInt8] { writer.bytes }
    /// The sources' own documents, joined by commas; there is hardly room to spare.
    var raw: [UInt8] { rawWriter.bytes }

    mutating func append(_ hit: Hit) -> CachedPage.Entry {
        let start = writer.bytes.isEmpty ? 0 : writer.bytes.count + 1
        hit.write(to: &writer, withRaw: false)
        let rawStart = rawWriter.bytes.isEmpty || hit.raw.isEmpty ? rawWriter.bytes.count : rawWriter.bytes.count + 1
        if !hit.raw.isEmpty { rawWriter.rawOnOneLine(hit.raw) }
        return CachedPage.Entry(
            id: hit.id,
            title: hit.title,
            publishedSeconds: hit.published?.epochSeconds,
            identity: ItemIdentity(hit),
            range: start..<writer.bytes.count,
            rawRange: rawStart..<rawWriter.bytes.count
        )
    }
}
