/// One spelling for the addresses of one page, for ids and for telling that two sources found the same.
///
/// Dropped are the scheme, `www.` and `m.` before the host, the usual port, the fragment, a slash at the end, and
/// parameters that only track; what is left keeps its case after the host.
package enum CanonicalURL {
    private static let trackingNames: Set<Substring> = [
        "fbclid", "gclid", "igshid", "mc_cid", "mc_eid", "msclkid", "yclid", "twclid", "dclid",
    ]

    /// The canonical spelling; of a text that is no web address, the text itself.
    package static func text(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...].prefix { $0 != "#" }
        let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        var host = rest[..<authorityEnd].lowercased()[...]
        for suffix in [":80", ":443"] where host.hasSuffix(suffix) { host = host.dropLast(suffix.count) }
        for prefix in ["www.", "m."] where host.hasPrefix(prefix) { host = host.dropFirst(prefix.count) }
        let tail = rest[authorityEnd...]
        let question = tail.firstIndex(of: "?") ?? tail.endIndex
        var path = tail[..<question]
        while path.last == "/" { path = path.dropLast() }
        let kept = tail[question...].dropFirst().split(separator: "&").filter { !isTracking($0) }
        return host + path + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }

    private static func isTracking(_ pair: Substring) -> Bool {
        let name = pair.prefix { $0 != "=" }
        return name.hasPrefix("utm_") || trackingNames.contains(name)
    }
}
