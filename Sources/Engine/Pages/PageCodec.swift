import Catalogue
import EventLoop
import SearchModel
import Upstream

/// Pages and their keys as bytes that outlive the program.
///
/// Anything else, and what another version wrote, is no page. What the keys or the hits mean must not change
/// without a new version.
enum PageCodec {
    static let version = 4
    /// What a key mostly has at most.
    private static let keyBytes = 128

    // MARK: Keys

    /// Different keys have different bytes.
    static func bytes(of key: PageKey) -> [UInt8] {
        var writer = PageBytesWriter(reserving: keyBytes)
        writer.number(version)
        writer.text(key.source.text)
        writer.text(key.request.query.text)
        writer.text(key.request.sort.rawValue)
        writer.number(key.request.page)
        writer.number(key.request.options.count)
        for option in key.request.options {
            writer.text(option.name)
            writer.text(option.value)
        }
        // Any page of hits has a key without it.
        if let item = key.request.item { writer.text(item.text) }
        return writer.bytes
    }

    // MARK: Pages

    static func bytes(of page: CachedPage) -> [UInt8] {
        var writer = PageBytesWriter(reserving: page.bytesUsed)
        writer.number(version)
        writer.optional(page.total)
        writer.flag(page.totalIsEstimate)
        writer.optional(page.reachable)
        writer.flag(page.isEnd)
        writer.blob(page.bytes)
        writer.blob(page.raw)
        writer.number(page.entries.count)
        // Looked at where they are: a copy of an entry counts its references.
        let all = page.entries
        let entries = all.span
        for index in entries.indices {
            writer.text(entries[index].id)
            writer.text(entries[index].title)
            writer.optional(entries[index].publishedSeconds.map { Int($0) })
            write(entries[index].identity.address, to: &writer)
            write(entries[index].identity.number, to: &writer)
            writer.range(entries[index].range)
            writer.range(entries[index].rawRange)
        }
        writer.seal()
        return writer.bytes
    }

    /// The page that these bytes are, with the times of this run; nil when they are not a page.
    static func page(
        _ bytes: [UInt8],
        key: PageKey,
        fetchedAt: Instant,
        freshUntil: Instant,
        content: UInt64 = 0
    ) -> CachedPage? {
        guard var reader = PageBytesReader(bytes), reader.number() == version, let total = reader.optional(),
            let totalIsEstimate = reader.flag(), let reachable = reader.optional(), let isEnd = reader.flag(),
            let hits = reader.blob(), let raw = reader.blob(), let count = reader.number(),
            // An entry has some bytes at least.
            (0...bytes.count).contains(count)
        else { return nil }
        var entries: [CachedPage.Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            guard let entry = entry(&reader, bytes: hits.count, rawBytes: raw.count) else { return nil }
            entries.append(entry)
        }
        guard reader.isAtEnd else { return nil }
        return CachedPage(
            key: key,
            entries: entries,
            bytes: hits,
            raw: raw,
            facts: CachedPage.Facts(
                total: total,
                totalIsEstimate: totalIsEstimate,
                reachable: reachable,
                isEnd: isEnd
            ),
            fetchedAt: fetchedAt,
            freshUntil: freshUntil,
            content: content
        )
    }

    private static func write(_ mark: ItemIdentity.Mark?, to writer: inout PageBytesWriter) {
        writer.optional(mark.map { Int(bitPattern: UInt($0.high)) })
        if let mark { writer.number(Int(bitPattern: UInt(mark.low))) }
    }

    /// A mark, or that there is none; nil for what is neither.
    private static func mark(_ reader: inout PageBytesReader) -> ItemIdentity.Mark?? {
        guard let high = reader.optional() else { return nil }
        guard let high else { return .some(nil) }
        return reader.number().map { low in
            ItemIdentity.Mark(high: UInt64(bitPattern: Int64(high)), low: UInt64(bitPattern: Int64(low)))
        }
    }

    private static func entry(_ reader: inout PageBytesReader, bytes: Int, rawBytes: Int) -> CachedPage.Entry? {
        guard let id = reader.text(), let title = reader.text(), let published = reader.optional(),
            let address = mark(&reader), let number = mark(&reader),
            let range = reader.range(within: bytes), let rawRange = reader.range(within: rawBytes)
        else { return nil }
        return CachedPage.Entry(
            id: id,
            title: title,
            publishedSeconds: published.map { Int64($0) },
            identity: ItemIdentity(address: address, number: number),
            range: range,
            rawRange: rawRange
        )
    }
}
