import HTTPMessage

/// Small operations on the text of URLs.
enum URLReference {
    /// What a reference means on a page, as far as sources write them: absolute, `//host`, `/path`, `?query` or `path`.
    static func resolve(_ reference: String, against base: String?) -> String {
        guard let base, !reference.isEmpty, !hasScheme(reference), let scheme = ByteText.before("://", in: base) else {
            return reference
        }
        if reference.utf8.starts(with: "//".utf8) { return scheme + ":" + reference }
        let page = base.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if reference.utf8.first == UInt8(ascii: "?") { return joined(page, reference) }
        let authority = page.dropFirst(scheme.utf8.count + 3)
        let path = authority.firstIndex(of: UInt8(ascii: "/")) ?? page.endIndex
        if reference.utf8.first == UInt8(ascii: "/") { return joined(page[..<path], reference) }
        let lastSlash = page[path...].lastIndex(of: UInt8(ascii: "/")) ?? page.endIndex
        return joined(page[..<lastSlash], "/" + reference)
    }

    private static func joined(_ beginning: Substring.UTF8View, _ rest: String) -> String {
        String(Substring(beginning)) + rest
    }

    /// The decoded value of the first parameter of a name; nil when there is none or its escapes are broken.
    ///
    /// The name is looked for as it is encoded.
    static func queryItem(_ name: String, of url: String) -> String? {
        let wanted = Array(PercentEncoding.encode(name).utf8) + [UInt8(ascii: "=")]
        var rest = url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst().prefix { $0 != UInt8(ascii: "#") }
        while !rest.isEmpty {
            let pair = rest.prefix { $0 != UInt8(ascii: "&") }
            if pair.starts(with: wanted) {
                let value = pair.dropFirst(wanted.count)
                return PercentEncoding.decode(String(decoding: value, as: UTF8.self), plusIsBlank: true)
            }
            rest = rest.dropFirst(pair.count + 1)
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
