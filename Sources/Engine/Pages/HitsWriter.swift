import JSON
import SearchModel

/// Serialises the hits of a page, one after the other, and remembers where each stands.
struct HitsWriter {
    private var writer = JSONWriter()
    private(set) var raw: [UInt8] = []

    /// The hits as JSON objects, joined by commas.
    var bytes: [UInt8] { writer.bytes }

    mutating func append(_ hit: Hit) -> CachedPage.Entry {
        let start = writer.bytes.isEmpty ? 0 : writer.bytes.count + 1
        hit.write(to: &writer, withRaw: false)
        let rawStart = raw.count
        if !hit.raw.isEmpty {
            var own = JSONWriter()
            own.rawOnOneLine(hit.raw)
            raw.append(contentsOf: own.bytes)
        }
        return CachedPage.Entry(
            id: hit.id,
            title: hit.title,
            publishedSeconds: hit.published?.epochSeconds,
            range: start..<writer.bytes.count,
            rawRange: rawStart..<raw.count
        )
    }
}
