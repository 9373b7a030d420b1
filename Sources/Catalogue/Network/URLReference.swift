import JSON

/// Small operations on URL strings.
enum URLReference {
    /// Resolves a reference against a page; supports absolute URLs, `//host`, `/path`, `?query` and `path`.
    static func resolved(_ reference: Span<UInt8>, against page: Span<UInt8>) -> String {
        var url: [UInt8] = []
        if !reference.isEmpty, !hasScheme(reference), let scheme = page.index(of: "://".utf8.span) {
            let end = min(page.index(of: UInt8(ascii: "?"), from: 0), page.index(of: UInt8(ascii: "#"), from: 0))
            let path = min(page.index(of: UInt8(ascii: "/"), from: min(scheme + 3, end)), end)
            if reference.begins(with: "//".utf8.span) {
                url.append(page.extracting(..<(scheme + 1)))
            } else if reference[0] == UInt8(ascii: "/") {
                url.append(page.extracting(..<path))
            } else if reference[0] == UInt8(ascii: "?") {
                url.append(page.extracting(..<end))
            } else {
                var lastSlash = end
                while lastSlash > path, page[lastSlash - 1] != UInt8(ascii: "/") { lastSlash -= 1 }
                url.append(page.extracting(..<(lastSlash > path ? lastSlash - 1 : end)))
                url.append(UInt8(ascii: "/"))
            }
        }
        url.append(reference)
        return String(validated: url.span)
    }

    /// Returns the decoded value of the first parameter with a name; nil if it is missing or has invalid escapes.
    ///
    /// The name is percent-encoded and ends with `=`.
    static func queryItem(_ name: Span<UInt8>, of url: Span<UInt8>) -> String? {
        var begin = url.index(of: UInt8(ascii: "?"), from: 0) + 1
        let end = url.index(of: UInt8(ascii: "#"), from: min(begin, url.count))
        while begin < end {
            let pairEnd = min(url.index(of: UInt8(ascii: "&"), from: begin), end)
            let pair = url.extracting(begin..<pairEnd)
            if pair.begins(with: name) {
                return PercentEncoding.decode(String(validated: pair.extracting(name.count...)), plusIsBlank: true)
            }
            begin = pairEnd + 1
        }
        return nil
    }

    /// Encodes a text as a readable URL path, as MediaWiki does for its pages.
    ///
    /// Spaces become underscores. Characters that are allowed and unambiguous in a path are kept.
    static func encodedPath(_ text: Span<UInt8>) -> String {
        var path: [UInt8] = []
        for offset in text.indices {
            switch text[offset] {
            case UInt8(ascii: " "): path.append(UInt8(ascii: "_"))
            case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"),
                UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "@"):
                path.append(text[offset])
            case let byte where PercentEncoding.isUnreserved(byte): path.append(byte)
            case let byte: PercentEncoding.append(byte, to: &path)
            }
        }
        return String(validated: path.span)
    }

    private static func hasScheme(_ text: Span<UInt8>) -> Bool {
        for offset in text.indices {
            let byte = text[offset]
            if byte == UInt8(ascii: ":") { return true }
            guard byte.isLetter || byte.isDigit || "+-.".utf8.contains(byte) else { return false }
        }
        return false
    }
}
