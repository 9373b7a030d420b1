import HTTPMessage
import JSON

/// Small operations on the text of URLs.
enum URLReference {
    /// What a reference means on a page, as far as sources write them: absolute, `//host`, `/path`, `?query` or `path`.
    static func resolve(_ reference: String, against base: String?) -> String {
        guard let base, !reference.isEmpty, !hasScheme(reference) else { return reference }
        let page = base.utf8.span
        guard let scheme = ByteText.place(of: "://", in: page) else { return reference }
        if reference.utf8.starts(with: "//".utf8) { return joined(page, scheme + 1, reference) }
        let end = min(page.place(of: UInt8(ascii: "?"), from: 0), page.place(of: UInt8(ascii: "#"), from: 0))
        if reference.utf8.first == UInt8(ascii: "?") { return joined(page, end, reference) }
        let path = min(page.place(of: UInt8(ascii: "/"), from: min(scheme + 3, end)), end)
        if reference.utf8.first == UInt8(ascii: "/") { return joined(page, path, reference) }
        var lastSlash = end
        while lastSlash > path, page[lastSlash - 1] != UInt8(ascii: "/") { lastSlash -= 1 }
        return joined(page, lastSlash > path ? lastSlash - 1 : end, "/" + reference)
    }

    private static func joined(_ base: Span<UInt8>, _ count: Int, _ rest: String) -> String {
        String(validated: base.extracting(first: count)) + rest
    }

    /// The decoded value of the first parameter of a name; nil when there is none or its escapes are broken.
    ///
    /// The name is looked for as it is encoded.
    static func queryItem(_ name: String, of url: String) -> String? {
        let wanted = Array(PercentEncoding.encode(name).utf8) + [UInt8(ascii: "=")]
        let bytes = url.utf8.span
        var begin = bytes.place(of: UInt8(ascii: "?"), from: 0) + 1
        let end = bytes.place(of: UInt8(ascii: "#"), from: min(begin, bytes.count))
        while begin < end {
            let pairEnd = min(bytes.place(of: UInt8(ascii: "&"), from: begin), end)
            if bytes.extracting(0..<pairEnd).holds(wanted, at: begin) {
                let value = String(validated: bytes.extracting(begin + wanted.count..<pairEnd))
                return PercentEncoding.decode(value, plusIsBlank: true)
            }
            begin = pairEnd + 1
        }
        return nil
    }

    /// A text as a part of a path that people still can read: its slashes and colons stay, blanks become underscores.
    static func encodedPath(_ text: String) -> String {
        PercentEncoding.encode(ByteText.replacing(" ", with: "_", in: text)) { byte in
            PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":")
        }
    }

    private static func hasScheme(_ text: String) -> Bool {
        for byte in text.utf8 {
            if byte == UInt8(ascii: ":") { return true }
            guard PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "+") else { return false }
            guard byte != UInt8(ascii: "_"), byte != UInt8(ascii: "~") else { return false }
        }
        return false
    }
}
