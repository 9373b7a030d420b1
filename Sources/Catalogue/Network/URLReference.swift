import HTTPMessage

/// Small operations on the text of URLs.
enum URLReference {
    /// What a reference means on a page, as far as sources write them: absolute, `//host`, `/path`, `?query` or `path`.
    static func resolve(_ reference: String, against base: String?) -> String {
        guard let base, !reference.isEmpty, !hasScheme(reference), let scheme = ByteText.before("://", in: base) else {
            return reference
        }
        if reference.utf8.starts(with: "//".utf8) { return scheme + ":" + reference }
        let page = base.prefix { $0 != "?" && $0 != "#" }
        if reference.utf8.first == UInt8(ascii: "?") { return page + reference }
        let authority = page.index(page.startIndex, offsetBy: scheme.count + 3)
        let path = page[authority...].firstIndex(of: "/") ?? page.endIndex
        if reference.utf8.first == UInt8(ascii: "/") { return page[..<path] + reference }
        let lastSlash = page[path...].lastIndex(of: "/") ?? page.endIndex
        return page[..<lastSlash] + "/" + reference
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
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return text[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}
