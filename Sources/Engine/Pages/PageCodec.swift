import Catalogue
import EventLoop
import JSON
import SearchModel
import Upstream

/// Encodes and decodes pages; increase `version` if the format or the recognition of duplicates changes.
enum PageCodec {
    static let version = 6

    static func bytes(of key: PageKey) -> [UInt8] {
        var writer = JSONWriter()
        writer.array { writer in
            writer.integer(version)
            writer.string(key.source.text)
            writer.string(key.request.query.text)
            writer.string(key.request.sort.rawValue)
            writer.integer(key.request.page)
            writer.array { writer in
                for option in key.request.options {
                    writer.string(option.name)
                    writer.string(option.value)
                }
            }
            if let item = key.request.item { writer.string(item.text) }
        }
        return writer.bytes
    }

    static func bytes(of page: CachedPage) -> [UInt8] {
        var writer = JSONWriter()
        writer.array { writer in
            writer.integer(version)
            write(page.total, to: &writer)
            writer.bool(page.totalIsEstimate)
            write(page.reachable, to: &writer)
            writer.bool(page.isEnd)
            writer.integer(page.bytes.count)
            writer.array { writer in
                for entry in page.entries { write(entry, to: &writer) }
            }
        }
        var bytes = writer.bytes
        bytes.reserveCapacity(bytes.count + 1 + page.bytes.count + page.raw.count)
        bytes.append(UInt8(ascii: "\n"))
        bytes += page.bytes
        bytes += page.raw
        return bytes
    }

    private static func write(_ number: Int?, to writer: inout JSONWriter) {
        if let number { writer.integer(number) } else { writer.null() }
    }

    private static func write(_ entry: CachedPage.Entry, to writer: inout JSONWriter) {
        writer.array { writer in
            writer.string(entry.id)
            writer.string(entry.title)
            write(entry.publishedSeconds.map { Int($0) }, to: &writer)
            writer.array { writer in
                for mark in entry.identity.marks {
                    writer.integer(Int(truncatingIfNeeded: mark.high))
                    writer.integer(Int(truncatingIfNeeded: mark.low))
                }
            }
            for range in [entry.range, entry.rawRange] {
                writer.integer(range.lowerBound)
                writer.integer(range.upperBound)
            }
        }
    }

    static func page(_ bytes: [UInt8], key: PageKey, fetchedAt: Instant, freshUntil: Instant) -> CachedPage? {
        guard let lineEnd = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let head = (try? JSONDocument(Array(bytes[..<lineEnd])))?.root.elements, head.count == 7,
            head[0].int == version, let totalIsEstimate = head[2].bool, let isEnd = head[4].bool,
            let hitBytes = head[5].int
        else { return nil }
        let rest = bytes[(lineEnd + 1)...]
        guard (0...rest.count).contains(hitBytes) else { return nil }
        let elements = head[6].elements
        let entries = elements.compactMap { entry($0.elements, hitBytes, rest.count - hitBytes) }
        guard entries.count == elements.count else { return nil }
        return CachedPage(
            key: key,
            entries: entries,
            bytes: Array(rest.prefix(hitBytes)),
            raw: Array(rest.dropFirst(hitBytes)),
            total: head[1].int,
            totalIsEstimate: totalIsEstimate,
            reachable: head[3].int,
            isEnd: isEnd,
            fetchedAt: fetchedAt,
            freshUntil: freshUntil
        )
    }

    private static func entry(_ parts: [JSONCursor], _ hitBytes: Int, _ rawBytes: Int) -> CachedPage.Entry? {
        guard parts.count == 8, let id = parts[0].string, let title = parts[1].string, let marks = marks(parts[3]),
            let range = Self.range(parts[4], parts[5], within: hitBytes),
            let rawRange = Self.range(parts[6], parts[7], within: rawBytes)
        else { return nil }
        return CachedPage.Entry(
            id: id,
            title: title,
            publishedSeconds: parts[2].int.map { Int64($0) },
            identity: ItemIdentity(marks: marks),
            range: range,
            rawRange: rawRange
        )
    }

    private static func marks(_ written: JSONCursor) -> [ItemIdentity.Mark]? {
        let words = written.elements.compactMap { $0.int.map { UInt64(bitPattern: Int64($0)) } }
        guard words.count == written.elements.count, words.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: words.count, by: 2).map {
            ItemIdentity.Mark(high: words[$0], low: words[$0 + 1])
        }
    }

    private static func range(_ start: JSONCursor, _ end: JSONCursor, within bytes: Int) -> Range<Int>? {
        guard let start = start.int, let end = end.int, 0 <= start, start <= end, end <= bytes else { return nil }
        return start..<end
    }
}
