import HTTPMessage

/// An address a hit may carry: `http` or `https`, with a host, without credentials, printable.
///
/// Invariant: only ASCII without blanks and control characters, except in the host.
package struct WebAddress: Equatable, Sendable {
    package let text: String
    /// The offset of the host in the bytes of `text`, and of what follows it (a port, a path, or the end).
    private let hostBytes: Range<Int>

    /// Reads an absolute address; what is not allowed in one is percent-encoded where that loses nothing.
    ///
    /// Fails when it is no web address, is longer than 4,096 bytes, or holds credentials or control characters.
    package init?(_ written: String) {
        let trimmed = Self.trimmed(written)
        guard trimmed.utf8.count <= TextLimits.urlBytesMax,
            let schemeBytes = Self.schemeLength(trimmed.utf8.span)
        else { return nil }
        let bytes = trimmed.utf8.span
        var hostEnd = schemeBytes
        var authorityEnd = bytes.count
        var isClean = true
        for index in 0..<bytes.count {
            let byte = bytes[index]
            guard byte > 0x1F, byte != 0x7F else { return nil }
            if Self.mustBeEncoded(byte) { isClean = false }
            guard index >= schemeBytes, index < authorityEnd else { continue }
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): authorityEnd = index
            case UInt8(ascii: "@"), UInt8(ascii: "\\"), 0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "%"):
                return nil
            default: break
            }
        }
        hostEnd = Self.hostEnd(bytes, from: schemeBytes, to: authorityEnd)
        guard hostEnd > schemeBytes, Self.isPort(bytes, from: hostEnd, to: authorityEnd),
            isClean || !Self.hidesSomething(trimmed)
        else { return nil }
        hostBytes = schemeBytes..<hostEnd
        text = isClean ? trimmed : Self.encoded(trimmed, from: authorityEnd)
    }

    /// The host in lower case, an IPv6 address with its brackets.
    package var host: String {
        String(decoding: Array(text.utf8)[hostBytes], as: UTF8.self).lowercased()
    }

    /// Whether its scheme is `https`.
    package var isSecure: Bool { hostBytes.lowerBound == 8 }

    private static func trimmed(_ text: String) -> String {
        let bytes = text.utf8.span
        guard !bytes.isEmpty, bytes[0] <= 0x20 || bytes[bytes.count - 1] <= 0x20 else { return text }
        let start = text.utf8.firstIndex { $0 > 0x20 } ?? text.endIndex
        let end = text.utf8.lastIndex { $0 > 0x20 }.map { text.utf8.index(after: $0) } ?? start
        return String(text[start..<max(start, end)])
    }

    /// The length of `http://` or `https://`; nil for every other beginning.
    private static func schemeLength(_ bytes: Span<UInt8>) -> Int? {
        let wanted: StaticString = "http"
        guard bytes.count > 8 else { return nil }
        // The buffer of a literal lives as long as the program, and the offsets stay below its count.
        let isHTTP = wanted.withUTF8Buffer { name in (0..<4).allSatisfy { unsafe bytes[$0] | 0x20 == name[$0] } }
        guard isHTTP else { return nil }
        let colon = bytes[4] | 0x20 == UInt8(ascii: "s") ? 5 : 4
        guard bytes[colon] == UInt8(ascii: ":"), bytes[colon + 1] == UInt8(ascii: "/"),
            bytes[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        return colon + 3
    }

    private static func hostEnd(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        guard start < end else { return start }
        let isBracketed = bytes[start] == UInt8(ascii: "[")
        for index in start..<end {
            if isBracketed, bytes[index] == UInt8(ascii: "]") { return index + 1 }
            if !isBracketed, bytes[index] == UInt8(ascii: ":") { return index }
        }
        return isBracketed ? start : end
    }

    private static func isPort(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard start < end else { return true }
        guard bytes[start] == UInt8(ascii: ":"), end - start <= 6 else { return false }
        for index in start + 1..<end where !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
            return false
        }
        return true
    }

    /// What a URL never holds as it stands; non-ASCII is encoded only behind the host.
    private static func mustBeEncoded(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), 0x80...:
            true
        default: false
        }
    }

    private static func hidesSomething(_ text: String) -> Bool {
        text.unicodeScalars.contains { ScalarClass($0.value) == .removed || $0.value == 0x2028 || $0.value == 0x2029 }
    }

    private static func encoded(_ text: String, from start: Int) -> String {
        let tail = String(decoding: text.utf8.dropFirst(start), as: UTF8.self)
        return String(decoding: text.utf8.prefix(start), as: UTF8.self)
            + PercentEncoding.encode(tail) { !mustBeEncoded($0) }
    }
}
