/// A company whose interface is imitated.
enum Upstream: String, CaseIterable, Sendable {
    case kakao, naver, naverhub, google, itunes, wikipedia, openlibrary, hackernews
}

/// Where a request goes: the upstream, and the path as that upstream knows it.
struct Endpoint: Equatable, Sendable {
    let upstream: Upstream
    /// Begins with a slash.
    let path: String
    /// Of Wikipedia: the language.
    var language = "en"

    /// Every upstream is served under its name; and without it, since their paths don't meet.
    ///
    /// nil when no upstream has the path.
    init?(path: Substring) {
        let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        if let first = parts.first, let upstream = Upstream(rawValue: String(first)) {
            self.upstream = upstream
            var rest = path.dropFirst(first.utf8.count + 1)
            if upstream == .wikipedia, parts.count > 1, parts[1] != "w" {
                language = String(parts[1])
                rest = rest.dropFirst(parts[1].utf8.count + 1)
            }
            self.path = rest.isEmpty ? "/" : String(rest)
            return
        }
        guard let upstream = Self.owners.first(where: { path.hasPrefix($0.prefix) })?.upstream else { return nil }
        self.upstream = upstream
        self.path = String(path)
    }

    /// The beginnings of paths, the longer before the shorter.
    private static let owners: [(prefix: String, upstream: Upstream)] = [
        ("/v2/search/", .kakao), ("/v3/search/", .kakao), ("/v1/search/", .naver), ("/search/v1/", .naverhub),
        ("/books/v1/", .google), ("/w/api.php", .wikipedia), ("/search.json", .openlibrary), ("/works/", .openlibrary),
        ("/api/v1/", .hackernews), ("/search", .itunes), ("/lookup", .itunes),
    ]
}
