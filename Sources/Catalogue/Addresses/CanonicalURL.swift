import JSON

/// Converts the different addresses of a page to one form, for ids and to detect duplicates.
enum CanonicalURL {
    private static let trackingNames = [
        "dclid", "fbclid", "gbraid", "gclid", "gclsrc", "igshid", "mc_cid", "mc_eid", "msclkid", "ttclid", "twclid",
        "wbraid", "yclid", "_ga", "_gl",
    ]
    .map { Array($0.utf8) }
    private static let trackingPrefix = Array("utm_".utf8)
    /// Hosts with these prefixes usually serve the same pages.
    private static let devicePrefixes = ["www.", "m.", "mobile."].map { Array($0.utf8) }
    private static let mobileWikipedia = Array(".m.wikipedia.org".utf8)
    private static let usualPorts = [":80", ":443"].map { Array($0.utf8) }

    static func append(_ url: Span<UInt8>, to canonical: inout [UInt8]) {
        let parts = URLParts(url)
        var pathEnd = parts.query
        while pathEnd > parts.path, url[pathEnd - 1] == UInt8(ascii: "/") { pathEnd -= 1 }
        canonical.reserveCapacity(canonical.count + url.count)
        if let host = parts.host { appendHost(url.extracting(host..<parts.path), to: &canonical) }
        appendPart(url.extracting(parts.path..<pathEnd), to: &canonical)
        appendQuery(url.extracting(min(parts.query + 1, parts.fragment)..<parts.fragment), to: &canonical)
    }

    private static func appendHost(_ host: Span<UInt8>, to output: inout [UInt8]) {
        var end = host.count
        for port in usualPorts where host.holds(port.span, at: end - port.count) { end -= port.count }
        let host = host.extracting(..<end)
        let (begin, mobile) = (deviceEnd(host), end - mobileWikipedia.count)
        let isMobile = mobile >= begin && host.holds(mobileWikipedia.span, at: mobile, anyCase: true)
        let start = output.count
        output.append(host.extracting(begin..<(isMobile ? mobile : end)))
        for offset in start..<output.count where (0x41...0x5A).contains(output[offset]) { output[offset] |= 0x20 }
        if isMobile { output += mobileWikipedia.dropFirst(2) }
    }

    private static func deviceEnd(_ host: Span<UInt8>) -> Int {
        var begin = 0
        for prefix in devicePrefixes where host.holds(prefix.span, at: begin, anyCase: true) {
            // The prefix stays if only one label would be left, as in `m.me`.
            let rest = begin + prefix.count
            if host.index(of: UInt8(ascii: "."), from: rest) < host.count { begin = rest }
        }
        return begin
    }

    private static func appendPart(_ part: Span<UInt8>, to output: inout [UInt8]) {
        let percent = part.index(of: UInt8(ascii: "%"), from: 0)
        output.append(part.extracting(0..<percent))
        var digits = 0
        for index in percent..<part.count {
            let byte = part[index]
            let isDigit = byte.isHexDigit && (digits == 1 || (digits == 2 && index + 1 < part.count))
            output.append(isDigit ? byte.raised : byte)
            digits = byte == UInt8(ascii: "%") ? 2 : max(0, digits - 1)
        }
    }

    private static func appendQuery(_ query: Span<UInt8>, to output: inout [UInt8]) {
        var separator = UInt8(ascii: "?")
        var begin = 0
        while begin < query.count {
            let end = query.index(of: UInt8(ascii: "&"), from: begin)
            let pair = query.extracting(begin..<end)
            if !pair.isEmpty, !isTracking(pair) {
                output.append(separator)
                appendPart(pair, to: &output)
                separator = UInt8(ascii: "&")
            }
            begin = end + 1
        }
    }

    private static func isTracking(_ pair: Span<UInt8>) -> Bool {
        pair.holds(trackingPrefix.span, at: 0, anyCase: true)
            || trackingNames.contains { name in
                pair.holds(name.span, at: 0, anyCase: true)
                    && (pair.count == name.count || pair[name.count] == UInt8(ascii: "="))
            }
    }
}
