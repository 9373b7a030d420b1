import Glibc

/// The address of the other end of a connection: 4 or 16 bytes, and the port.
package struct PeerAddress: Hashable, Sendable {
    /// In network order.
    package let bytes: [UInt8]
    package let port: UInt16

    package init(bytes: [UInt8], port: UInt16) {
        precondition(bytes.count == 4 || bytes.count == 16, "an address has 4 or 16 bytes")
        self.bytes = bytes
        self.port = port
    }

    /// Reads `127.0.0.1`, `::1` or `fe80::1%eth0`; nil for anything else.
    package init?(text: String, port: UInt16) {
        let address = text.prefix { $0 != "%" }
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            // inet_pton writes 4 bytes for AF_INET and 16 for AF_INET6, which is what the array holds.
            if unsafe inet_pton(family, String(address), &bytes) == 1 {
                self.init(bytes: bytes, port: port)
                return
            }
        }
        return nil
    }

    /// Whether anybody on the Internet may have this address: not loopback, private, link-local, multicast or reserved.
    ///
    /// An IPv4 address inside an IPv6 one (mapped, compatible, NAT64, 6to4) is judged as the IPv4 address.
    package var isPublic: Bool {
        if let embedded = embeddedIPv4 { return Self.isPublicIPv4(embedded) }
        return bytes.count == 4 ? Self.isPublicIPv4(bytes[...]) : isPublicIPv6
    }

    private var embeddedIPv4: ArraySlice<UInt8>? {
        guard bytes.count == 16 else { return nil }
        if bytes[..<10].allSatisfy({ $0 == 0 }) {
            let isMapped = bytes[10] == 0xFF && bytes[11] == 0xFF
            let isCompatible = bytes[10] == 0 && bytes[11] == 0
            if isMapped || isCompatible { return bytes[12...] }
        }
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]), bytes[4..<12].allSatisfy({ $0 == 0 }) { return bytes[12...] }
        if bytes.starts(with: [0x20, 0x02]) { return bytes[2..<6] }
        return nil
    }

    private var isPublicIPv6: Bool {
        let isLocal = bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0x80 == 0x80)
        let isMulticast = bytes[0] == 0xFF
        let isDocumentation = bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8])
        let isDiscarded = bytes.starts(with: [0x01, 0x00, 0, 0, 0, 0, 0, 0])
        let isLocalNAT64 = bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01])
        return !(isLocal || isMulticast || isDocumentation || isDiscarded || isLocalNAT64)
    }

    private static func isPublicIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let address = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return !reservedIPv4.contains { address >> (32 - $0.prefix) == $0.network >> (32 - $0.prefix) }
    }

    /// The blocks that IANA reserves for something else than hosts on the Internet.
    private static let reservedIPv4: [(network: UInt32, prefix: UInt32)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
        (0xC000_0000, 24), (0xC000_0200, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24),
        (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
    ]
}
