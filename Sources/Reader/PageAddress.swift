import JSON

/// The address of a page.
///
/// Resolves links (RFC 3986, section 5).
struct PageAddress: Equatable {
    static let bytesMax = 4096

    private let origin: String
    private let scheme: String
    private let path: String
    private let query: String

    init?(_ text: String) {
        let text = Substring(text)
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].hasPrefix("://")
        else { return nil }
        scheme = text[..<colon].lowercased()
        guard ["http", "https"].contains(scheme) else { return nil }
        let rest = text[colon...].dropFirst(3)
        let host = rest.prefix { !"/?#\\".contains($0) }
        guard !host.isEmpty, !host.contains(where: { $0 == "@" || $0.isWhitespace }) else { return nil }
        origin = "\(scheme)://\(host.lowercased())"
        let (path, query) = Self.parts(rest.dropFirst(host.count))
        self.path = path.isEmpty ? "/" : path
        self.query = query
    }

    var host: Substring { origin.dropFirst(scheme.count + 3).prefix { $0 != ":" } }
    var text: String { origin + path + query }

    func resolving(_ link: String) -> String? {
        let link = String(String.UnicodeScalarView(link.trimmingBlanks.unicodeScalars.filter { $0.value > 0x20 }))
        guard !link.isEmpty, !link.hasPrefix("#"), link.utf8.count <= Self.bytesMax else { return nil }
        if let scheme = Self.scheme(of: link) {
            guard ["http", "https"].contains(scheme) else { return nil }
            return PageAddress(link).map { _ in link }
        }
        if link.hasPrefix("//") { return PageAddress("\(scheme):\(link)").map { _ in "\(scheme):\(link)" } }
        if link.hasPrefix("?") { return origin + path + link }
        let (given, query) = Self.parts(Substring(link))
        let base = given.hasPrefix("/") ? "" : path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        return origin + Self.withoutDots(base + given) + query
    }

    private static func scheme(of link: String) -> String? {
        guard let end = link.firstIndex(where: { ":/?#".contains($0) }), link[end] == ":" else { return nil }
        return link[..<end].lowercased()
    }

    private static func parts(_ text: Substring) -> (path: String, query: String) {
        let whole = text.prefix { $0 != "#" }
        let path = whole.prefix { $0 != "?" }
        return (String(path), String(whole[path.endIndex...]))
    }

    private static func withoutDots(_ path: String) -> String {
        var parts: [Substring] = []
        let given = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for part in given {
            switch part {
            case ".": continue
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
        if let last = given.last, last == "." || last == ".." { parts.append("") }
        return "/" + parts.joined(separator: "/")
    }
}
