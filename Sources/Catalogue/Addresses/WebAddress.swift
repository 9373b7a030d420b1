import JSON

/// A valid `http` or `https` URL without credentials; only its host may have characters outside ASCII.
package struct WebAddress: Equatable, Sendable {
    package let text: String
    private let hostBytes: Range<Int>

    package init?(_ written: String) {
        let trimmed = Self.trimmed(written)
        let bytes = trimmed.utf8.span
        guard bytes.count <= TextLimits.urlBytesMax, let parts = Self.parts(bytes) else { return nil }
        let isClean = Self.holdsOnlyURLBytes(bytes)
        guard isClean || !Self.hasHiddenCharacters(trimmed) else { return nil }
        hostBytes = parts.host
        text = isClean ? trimmed : Self.encoded(trimmed, from: parts.authorityEnd)
    }

    static func isClean(_ bytes: Span<UInt8>) -> Bool {
        bytes.count <= TextLimits.urlBytesMax && parts(bytes) != nil && holdsOnlyURLBytes(bytes)
    }

    private static func parts(_ bytes: Span<UInt8>) -> (host: Range<Int>, authorityEnd: Int)? {
        guard let start = schemeLength(bytes) else { return nil }
        var end = start
        var colon: Int?
        scan: while end < bytes.count {
            if bytes[end].isLetter {
                end &+= 1
                continue
            }
            switch bytes[end] {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break scan
            case UInt8(ascii: "@"), UInt8(ascii: "\\"), 0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "%"):
                return nil
            case UInt8(ascii: ":") where colon == nil: colon = end
            default: break
            }
            end += 1
        }
        var hostEnd = colon ?? end
        if start < end, bytes[start] == UInt8(ascii: "[") {
            let bracket = bytes.index(of: UInt8(ascii: "]"), from: start)
            hostEnd = bracket < end ? bracket + 1 : start
        }
        guard hostEnd > start, isPort(bytes, from: hostEnd, to: end) else { return nil }
        return (start..<hostEnd, end)
    }

    /// In lower case; an IPv6 address has brackets.
    package var host: String {
        String(decoding: Array(text.utf8)[hostBytes], as: UTF8.self).lowercased()
    }

    package var isSecure: Bool { hostBytes.lowerBound == 8 }

    private static func trimmed(_ text: String) -> String {
        let start = text.utf8.firstIndex { $0 > 0x20 } ?? text.endIndex
        let end = text.utf8.lastIndex { $0 > 0x20 }.map { text.utf8.index(after: $0) } ?? start
        return String(text[start..<end])
    }

    private static let schemes = ["https://", "http://"].map { Array($0.utf8) }

    private static func schemeLength(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count > 8 else { return nil }
        return schemes.first { bytes.holds($0.span, at: 0, anyCase: true) }?.count
    }

    private static func isPort(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        guard start < end else { return true }
        guard bytes[start] == UInt8(ascii: ":"), end - start <= 6 else { return false }
        return (start + 1..<end).allSatisfy { bytes[$0].isDigit }
    }

    private static func hasHiddenCharacters(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            scalar.value <= 0x1F || ScalarClass(scalar.value) == .removed || (0x2028...0x2029).contains(scalar.value)
        }
    }

    private static func encoded(_ text: String, from start: Int) -> String {
        let tail = String(decoding: text.utf8.dropFirst(start), as: UTF8.self)
        return String(decoding: text.utf8.prefix(start), as: UTF8.self)
            + PercentEncoding.encode(tail) { excluded($0) == 0 }
    }

    private static func holdsOnlyURLBytes(_ bytes: Span<UInt8>) -> Bool {
        // Without an early exit, the compiler can vectorise the loop.
        var excluded: UInt8 = 0
        for offset in bytes.indices { excluded |= Self.excluded(bytes[offset]) }
        return excluded == 0
    }

    /// Returns 1 for a byte that a URL must escape, or else 0.
    @inline(__always)
    private static func excluded(_ byte: UInt8) -> UInt8 {
        var excluded: UInt8 = byte &- 0x21 > 0x5D ? 1 : 0
        excluded |= byte == UInt8(ascii: "\"") ? 1 : 0
        excluded |= byte | 2 == UInt8(ascii: ">") ? 1 : 0
        excluded |= byte | 2 == UInt8(ascii: "^") ? 1 : 0
        excluded |= byte == UInt8(ascii: "`") ? 1 : 0
        excluded |= byte &- UInt8(ascii: "{") < 3 ? 1 : 0
        return excluded
    }
}
