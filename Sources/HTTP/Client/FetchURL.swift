import JSON

/// An absolute `http` or `https` URL: only ASCII, no user, and no escapes in the host.
package struct FetchURL: Hashable, Sendable {
    package struct Origin: Hashable, Sendable, CustomStringConvertible {
        package let isSecure: Bool
        package let host: String
        package let port: UInt16

        package var description: String {
            let name = host.contains(":") ? "[\(host)]" : host
            return "\(isSecure ? "https" : "http")://\(name):\(port)"
        }
    }

    package static let bytesMax = 16 * 1024
    package static let hostBytesMax = 253

    package let text: String
    package let origin: Origin

    /// Throws `invalidURL`.
    ///
    /// The error does not contain the URL.
    package init(_ text: String) throws(FetchError) {
        guard text.utf8.count <= Self.bytesMax else {
            throw .invalidURL("it has more than \(Self.bytesMax) bytes")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidURL(
                "it has a blank, a control character or a non-ASCII character that is not percent-encoded"
            )
        }
        var rest = text.utf8[...]
        let isSecure = try Self.takeScheme(&rest)
        let host = try Self.takeHost(&rest)
        let port = try Self.takePort(&rest) ?? (isSecure ? 443 : 80)
        guard rest.first.map({ "/?#".utf8.contains($0) }) ?? true else {
            throw .invalidURL("its host has a character that is not valid")
        }
        self.text = text
        origin = Origin(isSecure: isSecure, host: host, port: port)
    }

    /// Percent-encodes blanks and non-ASCII characters, like browsers.
    package init(escaping text: String) throws(FetchError) {
        guard text.utf8.count <= Self.bytesMax else {
            throw .invalidURL("it has more than \(Self.bytesMax) bytes")
        }
        try self.init(Self.escaped(text))
    }

    private static func escaped(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.isASCII && scalar != " " {
                result.unicodeScalars.append(scalar)
            } else {
                result += PercentEncoding.encode(String(scalar))
            }
        }
    }

    private static func takeScheme(_ rest: inout Substring.UTF8View) throws(FetchError) -> Bool {
        for (scheme, isSecure) in [("https://", true), ("http://", false)] {
            let head = rest.prefix(scheme.utf8.count)
            if head.count == scheme.utf8.count && zip(head, scheme.utf8).allSatisfy({ $0 | 0x20 == $1 }) {
                rest.removeFirst(scheme.utf8.count)
                return isSecure
            }
        }
        throw .invalidURL("it does not begin with http:// or https://")
    }

    private static func takeHost(_ rest: inout Substring.UTF8View) throws(FetchError) -> String {
        let host: Substring.UTF8View
        if rest.first == UInt8(ascii: "[") {
            rest.removeFirst()
            host = rest.prefix { $0.isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
            rest.removeFirst(host.count)
            guard rest.popFirst() == UInt8(ascii: "]") else { throw .invalidURL("its IPv6 address is not closed") }
        } else {
            host = rest.prefix(while: isNameByte)
            rest.removeFirst(host.count)
        }
        guard !host.isEmpty else { throw .invalidURL("it has no host") }
        guard host.count <= hostBytesMax else {
            throw .invalidURL("its host name has more than \(hostBytesMax) bytes")
        }
        return Substring(host).lowercased()
    }

    private static func takePort(_ rest: inout Substring.UTF8View) throws(FetchError) -> UInt16? {
        guard rest.first == UInt8(ascii: ":") else { return nil }
        rest.removeFirst()
        let digits = rest.prefix(while: \.isDigit)
        rest.removeFirst(digits.count)
        guard let port = UInt16(Substring(digits)), port > 0 else {
            throw .invalidURL("its port is not a number from 1 to 65535")
        }
        return port
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-._".utf8.contains(byte)
    }
}
