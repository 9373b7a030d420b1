import HTTPMessage

/// Small operations on the text of URLs.
enum URLReference {
    /// Appends what a reference means on a page, as far as sources write them: absolute, `//host`, `/path`, `?query` or
    /// `path`; on an empty page just itself.
    static func appendResolved(_ reference: Span<UInt8>, against page: Span<UInt8>, to url: inout [UInt8]) {
        defer { url.append(reference) }
        guard !reference.isEmpty, !hasScheme(reference), let scheme = ByteText.index(of: "://".utf8.span, in: page)
        else { return }
        let end = min(page.index(of: UInt8(ascii: "?"), from: 0), page.index(of: UInt8(ascii: "#"), from: 0))
        let path = min(page.index(of: UInt8(ascii: "/"), from: min(scheme + 3, end)), end)
        switch reference[0] {
        case UInt8(ascii: "/") where reference.begins(with: "//".utf8.span):
            url.append(page.extracting(..<(scheme + 1)))
        case UInt8(ascii: "/"): url.append(page.extracting(..<path))
        case UInt8(ascii: "?"): url.append(page.extracting(..<end))
        default:
            var lastSlash = end
            while lastSlash > path, page[lastSlash - 1] != UInt8(ascii: "/") { lastSlash -= 1 }
            url.append(page.extracting(..<(lastSlash > path ? lastSlash - 1 : end)))
            url.append(UInt8(ascii: "/"))
        }
    }

    /// Appends the decoded value of the first parameter of a name; false when there is none or its escapes are broken.
    ///
    /// The name is percent-encoded and ends with `=`.
    static func appendQueryItem(_ name: Span<UInt8>, of url: Span<UInt8>, to value: inout [UInt8]) -> Bool {
        var begin = url.index(of: UInt8(ascii: "?"), from: 0) + 1
        let end = url.index(of: UInt8(ascii: "#"), from: min(begin, url.count))
        while begin < end {
            let pairEnd = min(url.index(of: UInt8(ascii: "&"), from: begin), end)
            let pair = url.extracting(begin..<pairEnd)
            if pair.begins(with: name) {
                return PercentEncoding.decode(pair.extracting(name.count...), plusIsBlank: true, to: &value)
            }
            begin = pairEnd + 1
        }
        return false
    }

    /// Appends a text as a part of a path that people still can read, as MediaWiki writes the addresses of its pages:
    /// blanks become underscores, and of the signs those stay that a path may hold and that are unambiguous.
    static func appendEncodedPath(_ text: Span<UInt8>, to path: inout [UInt8]) {
        for offset in 0..<text.count {
            switch text[offset] {
            case UInt8(ascii: " "): path.append(UInt8(ascii: "_"))
            case let byte where Self.readableSigns.contains(byte): path.append(byte)
            case let byte where PercentEncoding.isUnreserved(byte): path.append(byte)
            case let byte: PercentEncoding.append(byte, to: &path)
            }
        }
    }

    private static let readableSigns = Array(";@$!*(),/:".utf8)

    private static func hasScheme(_ text: Span<UInt8>) -> Bool {
        for offset in 0..<text.count {
            let byte = text[offset]
            if byte == UInt8(ascii: ":") { return true }
            guard PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "+") else { return false }
            guard byte != UInt8(ascii: "_"), byte != UInt8(ascii: "~") else { return false }
        }
        return false
    }
}
