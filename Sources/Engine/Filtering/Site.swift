/// A host, and all hosts under it.
package struct Site: Hashable, Sendable {
    /// The longest name that the domain name system has.
    package static let bytesMax = 253

    /// In lowercase, without a dot at either end.
    private let host: [UInt8]

    /// Nil for what is no host: an address with its scheme or path, a pattern, a port.
    package init?(_ text: String) {
        var name = text.utf8[...]
        if name.last == UInt8(ascii: ".") { name = name.dropLast() }
        guard (1...Self.bytesMax).contains(name.count) else { return nil }
        let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.mayStandInLabel) }) else { return nil }
        host = name.map(Self.lowercased)
    }

    private static func mayStandInLabel(_ byte: UInt8) -> Bool {
        switch lowercased(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Whether an address is on the host, or on one under it.
    ///
    /// - Complexity: O(n) in the bytes of the address.
    func holds(_ address: String) -> Bool {
        guard var rest = Self.host(of: address) else { return false }
        if rest.last == UInt8(ascii: ".") { rest = rest.dropLast() }
        guard rest.count >= host.count, rest.suffix(host.count).map(Self.lowercased) == host else { return false }
        return rest.count == host.count || rest.dropLast(host.count).last == UInt8(ascii: ".")
    }

    /// The host of an address, without user and port; nil of what has none.
    private static func host(of address: String) -> ArraySlice<UInt8>? {
        let bytes = Array(address.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[colon...].starts(with: "://".utf8)
        else { return nil }
        let rest = bytes[(colon + 3)...]
        let ends = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\")]
        var authority = rest.prefix { !ends.contains($0) }
        if let user = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(user + 1)...] }
        // An address in brackets is no name, whatever follows its first colon.
        return authority.prefix { $0 != UInt8(ascii: ":") }
    }
}
