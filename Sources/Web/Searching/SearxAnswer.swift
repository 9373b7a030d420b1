import Client
import JSON
import RPC
import SearchModel

/// A finished search in the formats of the SearXNG API.
struct SearxAnswer {
    let request: SearchRequest
    let hits: [FoundHit]
    let outcomes: [SourceOutcome]
    let isComplete: Bool
    private var corrections: [String] = []

    init(_ request: SearchRequest, _ answer: JSONCursor) {
        self.request = request
        hits = (answer[.hits]?.elements ?? []).map { FoundHit($0) }
        outcomes = (answer[.sources]?.elements ?? []).map { SourceOutcome($0) }
        isComplete = answer["complete"]?.bool ?? false
        // Corrections come from the user's own data, so no one else gets them.
        if request.caller == .user { corrections = (answer[.didYouMean]?.elements ?? []).compactMap(\.string) }
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.bytes.reserveCapacity(16 << 10)
        writer.object { writer in
            writer.plainMember("query", request.query)
            writer.plainName("number_of_results")
            writer.integer(hits.count)
            writer.plainName("results")
            writer.array { writer in
                for (index, hit) in hits.enumerated() {
                    Self.write(hit, position: request.offset + index + 1, to: &writer)
                }
            }
            writer.plainName("corrections")
            writer.array { writer in for text in corrections { writer.string(text) } }
            for name in ["answers", "infoboxes", "suggestions"] {
                writer.name(name)
                writer.array { _ in }
            }
            writer.plainName("unresponsive_engines")
            writer.array { writer in
                for outcome in outcomes where outcome.isUnresponsive {
                    writer.array { writer in
                        writer.string(outcome.source)
                        writer.string(outcome.reason ?? outcome.status?.rawValue ?? "")
                    }
                }
            }
        }
        return writer.bytes
    }

    static func failed(_ request: SearchRequest, _ error: ClientError) -> [UInt8] {
        let reason = JSONValue.array([.string(error.source ?? "searchd"), .string(error.message)])
        let empty = ["results", "answers", "corrections", "infoboxes", "suggestions"]
        let members = empty.map { JSONMember($0, .array([])) }
        return JSONValue.object(
            [JSONMember("query", .string(request.query)), JSONMember("number_of_results", .number(JSONNumber(0)))]
                + members + [JSONMember("unresponsive_engines", .array([reason]))]
        ).bytes
    }

    private static func write(_ hit: FoundHit, position: Int, to writer: inout JSONWriter) {
        let url = hit.url?.string ?? ""
        writer.object { writer in
            writer.plainMember("url", url)
            writer.plainName("title")
            raw(hit.title, to: &writer)
            writer.plainName("content")
            raw(hit.snippet, to: &writer)
            writer.plainMember("engine", hit.source)
            writer.plainName("engines")
            writer.array { writer in
                writer.string(hit.source)
                for source in hit.alsoFrom { writer.string(source) }
            }
            writer.plainMember("category", hit.kind)
            writer.plainMember("template", template(of: hit.kind))
            writer.plainName("positions")
            writer.array { $0.integer(position) }
            // Clients sort by the score, so it decreases from hit to hit.
            writer.plainName("score")
            writer.double(1 / Double(position))
            writer.plainMember("priority", "")
            writer.plainName("parsed_url")
            writer.array { writer in for part in URLParts(url).all { writer.string(part) } }
            writer.plainName("thumbnail")
            raw(hit.thumbnail, to: &writer)
            writer.plainName("img_src")
            raw(hit.extra?["image"] ?? (hit.kind == "image" ? hit.thumbnail : nil), to: &writer)
            writer.plainMember("iframe_src", "")
            writer.plainName("author")
            raw(hit.author, to: &writer)
            for name in ["publishedDate", "pubdate"] {
                writer.name(name)
                if let published = hit.published { writer.raw(published.text) } else { writer.null() }
            }
            writer.member("length", hit.extra?["duration"]?.double.map(Facts.time))
            writer.member("metadata", hit.extra.map { Facts.line(of: $0, in: .english) })
        }
    }

    private static func raw(_ text: JSONCursor?, to writer: inout JSONWriter) {
        if let text, text.kind == .string { writer.raw(text.text) } else { writer.string("") }
    }

    private static func template(of kind: String) -> String {
        switch kind {
        case "image": "images.html"
        case "video": "videos.html"
        default: "default.html"
        }
    }

    var csv: [UInt8] {
        let rows = hits.enumerated().map { index, hit in
            let url = hit.url?.string ?? ""
            let score = "\(1 / Double(request.offset + index + 1))"
            return [
                hit.title?.string ?? "", url, hit.snippet?.string ?? "", URLParts(url).host, hit.source, score,
                "result",
            ]
        }
        let lines = [["title", "url", "content", "host", "engine", "score", "type"]] + rows
        return Array(lines.map { $0.map(Self.cell).joined(separator: ",") + "\r\n" }.joined().utf8)
    }

    private static func cell(_ text: String) -> String {
        let isFormula = text.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
        let safe = isFormula ? "'\(text)" : text
        guard safe.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return safe }
        let quote = UInt8(ascii: "\"")
        let bytes = [quote] + safe.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
        return String(decoding: bytes, as: UTF8.self)
    }

    func rss(at address: String) -> [UInt8] {
        var items = Markup()
        for hit in hits {
            var item: Markup = "<item><title>\(Visible.text(hit.title?.string ?? ""))</title>"
            if let url = hit.url?.string, Visible.isLink(url) { item += "<link>\(url)</link>" }
            item +=
                "<guid isPermaLink=\"false\">\(hit.id)</guid><description>\(Visible.text(hit.snippet?.string ?? ""))"
            item += "</description><category>\(hit.kind)</category>"
            if let date = hit.published?.string.flatMap(HTTPDate.text) { item += "<pubDate>\(date)</pubDate>" }
            items += item + "</item>\n"
        }
        let feed: Markup = """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
            <channel><title>searchd: \(Visible.text(request.query))</title><link>\(address)</link>
            <description>\(Visible.text(request.query))</description>
            <opensearch:startIndex>\(request.offset + 1)</opensearch:startIndex>
            <opensearch:itemsPerPage>\(SearchRequest.pageSize)</opensearch:itemsPerPage>
            \(items)</channel></rss>

            """
        return Array(feed.text.utf8)
    }
}

/// The parts of a URL, as Python's `urlparse` separates them.
struct URLParts {
    private(set) var scheme = ""
    private(set) var authority = ""
    private(set) var path = ""
    private(set) var params = ""
    private(set) var query = ""
    private(set) var fragment = ""

    init(_ url: String) {
        var rest = url.utf8[...]
        func text(_ bytes: Substring.UTF8View.SubSequence) -> String { String(Substring(bytes)) }
        func cut(_ mark: Character) -> String {
            guard let index = rest.firstIndex(of: mark.asciiValue ?? 0) else { return "" }
            defer { rest = rest[..<index] }
            return text(rest[rest.index(after: index)...])
        }
        fragment = cut("#")
        query = cut("?")
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            scheme = text(rest[..<colon]).lowercased()
            rest = rest[rest.index(after: colon)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = text(rest[..<end])
            rest = rest[end...]
        }
        params = cut(";")
        path = text(rest)
    }

    var all: [String] { [scheme, authority, path, params, query, fragment] }

    var host: String {
        let name = authority.split(separator: "@").last ?? ""
        return name.hasPrefix("[") ? String(name) : String(name.split(separator: ":").first ?? "")
    }
}
