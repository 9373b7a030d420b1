/// One spelling for the addresses of one page, for ids and for telling that two sources found the same.
///
/// Dropped are the scheme, `www.` and `m.` before the host, the usual port, the fragment, slashes at the end of the path,
/// and parameters that only track; what is left keeps its case after the host.
package enum CanonicalURL {
    /// Names of parameters that only track; the first ones are beginnings of names.
    private static let trackingNames = [
        "utm_", "dclid=", "fbclid=", "gclid=", "igshid=", "mc_cid=", "mc_eid=", "msclkid=",
    ]
    .map { Array($0.utf8) }

    private static let usualPorts = [":80", ":443"].map { Array($0.utf8) }
    private static let samePrefixes = ["www.", "m."].map { Array($0.utf8) }

    /// The canonical spelling; of a text that is no absolute URL, the text itself.
    package static func text(of url: String) -> String {
        String(decoding: bytes(of: url), as: UTF8.self)
    }

    /// The bytes of the canonical spelling.
    ///
    /// - Complexity: O(n) in the bytes of the URL.
    static func bytes(of url: String) -> [UInt8] {
        let bytes = url.utf8.span
        var canonical: [UInt8] = []
        canonical.reserveCapacity(bytes.count)
        let pathBegin = appendHost(bytes, to: &canonical)
        var pathEnd = pathBegin
        while pathEnd < bytes.count, bytes[pathEnd] != UInt8(ascii: "?"), bytes[pathEnd] != UInt8(ascii: "#") {
            pathEnd += 1
        }
        var keptEnd = pathEnd
        while keptEnd > pathBegin, bytes[keptEnd - 1] == UInt8(ascii: "/") { keptEnd -= 1 }
        append(bytes.extracting(pathBegin..<keptEnd), to: &canonical)
        if pathEnd < bytes.count, bytes[pathEnd] == UInt8(ascii: "?") {
            appendQuery(bytes, from: pathEnd + 1, to: &canonical)
        }
        return canonical
    }

    private static func append(_ part: Span<UInt8>, to canonical: inout [UInt8]) {
        // The buffer is copied within the call.
        unsafe part.withUnsafeBytes { unsafe canonical.append(contentsOf: $0) }
    }

    /// Appends the host in lower case, without the usual port and what says the same page differently.
    ///
    /// Answers where the path begins; 0, and nothing is appended, when there is no `://`.
    private static func appendHost(_ bytes: Span<UInt8>, to canonical: inout [UInt8]) -> Int {
        var index = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: ":") { index += 1 }
        guard index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "/"), bytes[index + 2] == UInt8(ascii: "/")
        else {
            return 0
        }
        index += 3
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
            canonical.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
            index += 1
        }
        for port in usualPorts where canonical.ends(with: port) { canonical.removeLast(port.count) }
        for prefix in samePrefixes where canonical.starts(with: prefix) { canonical.removeFirst(prefix.count) }
        return index
    }

    private static func appendQuery(_ bytes: Span<UInt8>, from start: Int, to canonical: inout [UInt8]) {
        var separator = UInt8(ascii: "?")
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "#") {
            let pairStart = index
            while index < bytes.count, bytes[index] != UInt8(ascii: "&"), bytes[index] != UInt8(ascii: "#") {
                index += 1
            }
            let pair = bytes.extracting(pairStart..<index)
            if !pair.isEmpty, !isTracking(pair) {
                canonical.append(separator)
                append(pair, to: &canonical)
                separator = UInt8(ascii: "&")
            }
            if index < bytes.count, bytes[index] == UInt8(ascii: "&") { index += 1 }
        }
    }

    private static func isTracking(_ pair: Span<UInt8>) -> Bool {
        trackingNames.contains { name in
            guard pair.count >= name.count else { return false }
            for offset in name.indices where pair[offset] != name[offset] { return false }
            return true
        }
    }
}

extension [UInt8] {
    fileprivate func ends(with ending: [UInt8]) -> Bool {
        guard count >= ending.count else { return false }
        for offset in ending.indices where self[count - ending.count + offset] != ending[offset] { return false }
        return true
    }

    fileprivate func starts(with beginning: [UInt8]) -> Bool {
        guard count >= beginning.count else { return false }
        for offset in beginning.indices where self[offset] != beginning[offset] { return false }
        return true
    }
}
