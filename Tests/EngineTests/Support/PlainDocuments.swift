import JSON
import SearchModel
import SearchTestSupport

@testable import Engine

/// Reads documents that tell all there is of a hit from `hit(_:_:)`.
struct PlainDocuments: HitReader {
    static func document(of hit: Hit) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("source", hit.source.text)
            writer.member("number", hit.rank - 1)
            writer.member("title", hit.title)
            if let url = hit.url { writer.member("url", url) }
            if let published = hit.published { writer.member("published", Int(published.epochSeconds)) }
        }
        return writer.bytes
    }

    func hits(of list: [UInt8], firstRank: Int) -> [Hit] {
        guard let document = try? JSONDocument(list) else { return [] }
        return document.elements(at: document.root.index).compactMap { place in
            let cursor = document.cursor(at: place)
            guard let source = cursor["source"]?.string, let number = cursor["number"]?.int else {
                return nil
            }
            var read = hit(
                source,
                number,
                title: cursor["title"]?.string,
                published: cursor["published"]?.int.map { Int64($0) },
                url: cursor["url"]?.string
            )
            read.raw = document.text(at: place)
            return read
        }
    }
}

extension Page {
    /// This page with only so many hits read; itself when it has no more.
    func read(_ count: Int) -> Page {
        guard count < hits.count else { return self }
        var page = self
        page.hits = Array(hits[..<count])
        let documents = hits[count...].map { PlainDocuments.document(of: $0) }
        page.unread = UnreadHits(
            documents: Array(documents.joined(separator: [UInt8(ascii: ",")]))[...],
            count: hits.count - count,
            firstRank: hits[count].rank,
            reader: PlainDocuments()
        )
        return page
    }
}
