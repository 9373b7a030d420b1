import JSON

/// The offsets at which the parts of a URL begin; a missing path or query has the offset of the next part.
struct URLParts {
    let host: Int?
    let path: Int
    let query: Int
    let fragment: Int

    init(_ url: Span<UInt8>) {
        let colon = url.index(of: UInt8(ascii: ":"), from: 0)
        host = url.holds("://".utf8.span, at: colon) ? colon + 3 : nil
        let start = host ?? 0
        fragment = url.index(of: UInt8(ascii: "#"), from: start)
        query = min(url.index(of: UInt8(ascii: "?"), from: start), fragment)
        path = host == nil ? 0 : min(url.index(of: UInt8(ascii: "/"), from: start), query)
    }
}

/// Resolves, reads and encodes parts of URLs.
enum URLReference {
    /// `reference` may be an absolute URL, `//host`, `/path`, `?query`, `#fragment` or `path`.
    static func resolved(_ reference: Span<UInt8>, against page: Span<UInt8>) -> String {
        var url: [UInt8] = []
        let parts = URLParts(page)
        if !reference.isEmpty, !hasScheme(reference), let host = parts.host {
            var end = parts.query
            switch reference[0] {
            case UInt8(ascii: "/"): end = reference.begins(with: "//".utf8.span) ? host - 2 : parts.path
            case UInt8(ascii: "?"): break
            case UInt8(ascii: "#"): end = parts.fragment
            default: while end > parts.path, page[end - 1] != UInt8(ascii: "/") { end -= 1 }
            }
            url.append(page.extracting(..<end))
            // A page without a path is in the root folder.
            if end == parts.path, !"/?#".utf8.contains(reference[0]) { url.append(UInt8(ascii: "/")) }
        }
        url.append(reference)
        return String(validated: url.span)
    }

    /// `name` must be percent-encoded and end with `=`; returns nil if an escape is not valid.
    static func queryItem(_ name: Span<UInt8>, of url: Span<UInt8>) -> String? {
        let parts = URLParts(url)
        var begin = parts.query + 1
        while begin < parts.fragment {
            let end = min(url.index(of: UInt8(ascii: "&"), from: begin), parts.fragment)
            let pair = url.extracting(begin..<end)
            if pair.begins(with: name) {
                return PercentEncoding.decode(String(validated: pair.extracting(name.count...)), plusIsBlank: true)
            }
            begin = end + 1
        }
        return nil
    }

    /// Encodes a path in the same way as MediaWiki.
    static func encodedPath(_ text: String) -> String {
        let kept = " !$()*,/:;@".utf8
        let encoded = PercentEncoding.encode(text) { PercentEncoding.isUnreserved($0) || kept.contains($0) }
        return String(decoding: encoded.utf8.map { $0 == 0x20 ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
    }

    private static func hasScheme(_ text: Span<UInt8>) -> Bool {
        for offset in text.indices {
            let byte = text[offset]
            if byte == UInt8(ascii: ":") { return offset > 0 }
            guard byte.isLetter || offset > 0 && (byte.isDigit || "+-.".utf8.contains(byte)) else { return false }
        }
        return false
    }
}
