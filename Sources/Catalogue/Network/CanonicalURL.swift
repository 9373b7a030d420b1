/// One spelling for the addresses of one page, for ids and for telling that two sources found the same.
///
/// Dropped are the scheme, `www.`, `m.` and `mobile.` before the host, the usual port, the fragment, slashes at the end
/// of the path, and parameters that only track; what is left keeps its order, and its case after the host, except that
/// percent-encoded bytes are written in upper case.
package enum CanonicalURL {
    /// Names of parameters that only track, in lower case.
    private static let trackingNames = [
        "dclid", "fbclid", "gbraid", "gclid", "gclsrc", "igshid", "mc_cid", "mc_eid", "msclkid", "ttclid", "twclid",
        "wbraid", "yclid", "_ga", "_gl",
    ]
    .map { Array($0.utf8) }
    /// How the names of others begin.
    private static let trackingPrefix = Array("utm_".utf8)
    /// What hosts begin with that show the same pages to other devices.
    private static let devicePrefixes = ["www.", "m.", "mobile."].map { Array($0.utf8) }
    private static let mobileWikipedia = Array(".m.wikipedia.org".utf8)
    private static let usualPorts = [":80", ":443"].map { Array($0.utf8) }

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

    /// Appends what stands behind the host, the digits of percent-encoded bytes in upper case.
    private static func append(_ part: Span<UInt8>, to canonical: inout [UInt8]) {
        var index = canonical.count
        // The buffer is copied within the call.
        unsafe part.withUnsafeBytes { unsafe canonical.append(contentsOf: $0) }
        while index + 2 < canonical.count {
            if canonical[index] == UInt8(ascii: "%") {
                for digit in index + 1...index + 2
                where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(canonical[digit]) {
                    canonical[digit] &= ~0x20
                }
            }
            index += 1
        }
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
        // A host of one word would be none: `m.me` stays.
        for prefix in devicePrefixes
        where canonical.starts(with: prefix) && canonical.dropFirst(prefix.count).contains(UInt8(ascii: ".")) {
            canonical.removeFirst(prefix.count)
        }
        if canonical.ends(with: mobileWikipedia) {
            canonical.replaceSubrange((canonical.count - mobileWikipedia.count)..., with: ".wikipedia.org".utf8)
        }
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
            if index > pairStart, !isTracking(bytes.extracting(pairStart..<index)) {
                canonical.append(separator)
                append(bytes.extracting(pairStart..<index), to: &canonical)
                separator = UInt8(ascii: "&")
            }
            if index < bytes.count, bytes[index] == UInt8(ascii: "&") { index += 1 }
        }
    }

    private static func isTracking(_ pair: Span<UInt8>) -> Bool {
        if begins(pair, with: trackingPrefix) { return true }
        return trackingNames.contains { name in
            begins(pair, with: name) && (pair.count == name.count || pair[name.count] == UInt8(ascii: "="))
        }
    }

    /// Whether a parameter begins with a name, whatever its case.
    private static func begins(_ pair: Span<UInt8>, with name: [UInt8]) -> Bool {
        guard pair.count >= name.count else { return false }
        for offset in name.indices {
            let byte = pair[offset]
            let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
            if lower != name[offset] { return false }
        }
        return true
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
