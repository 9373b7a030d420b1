import HTTPMessage

/// Small operations on the text of URLs.
enum URLReference {
    /// What a reference means on a page, as far as sources write them: absolute, `//host`, `/path`, `?query` or `path`.
    static func resolve(_ reference: String, against base: String?) -> String {
        guard let base, !reference.isEmpty, !hasScheme(reference),
            let scheme = base.firstRange(of: "://")
        else { return reference }
        if reference.hasPrefix("//") { return base[..<scheme.lowerBound] + ":" + reference }
        let withoutQuery = base[..<(base.firstIndex { $0 == "?" || $0 == "#" } ?? base.endIndex)]
        if reference.hasPrefix("?") { return withoutQuery + reference }
        let path = withoutQuery[scheme.upperBound...].firstIndex(of: "/") ?? withoutQuery.endIndex
        if reference.hasPrefix("/") { return withoutQuery[..<path] + reference }
        let lastSlash = withoutQuery[path...].lastIndex(of: "/") ?? withoutQuery.endIndex
        return withoutQuery[..<lastSlash] + "/" + reference
    }

    /// A text as a part of a path that people still can read: its slashes and colons stay, blanks become underscores.
    static func encodedPath(_ text: String) -> String {
        PercentEncoding.encode(text.replacing(" ", with: "_")).replacing("%2F", with: "/").replacing("%3A", with: ":")
    }

    /// The decoded value of the first parameter of a name; nil when there is none or its escapes are broken.
    static func queryItem(_ name: String, of url: String) -> String? {
        guard let question = url.firstIndex(of: "?") else { return nil }
        let query = url[url.index(after: question)...].prefix { $0 != "#" }
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if sides.count == 2, PercentEncoding.decode(sides[0], plusIsBlank: true) == name {
                return PercentEncoding.decode(sides[1], plusIsBlank: true)
            }
        }
        return nil
    }

    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        return text[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}
