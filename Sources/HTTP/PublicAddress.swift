/// Distinguishes public addresses from local, private and reserved addresses.
package enum PublicAddress {
    /// Returns why an address is not public, or nil.
    ///
    /// An IPv4 address inside an IPv6 address is checked, too.
    package static func objection(to bytes: [UInt8]) -> String? {
        switch bytes.count {
        case 4: IPv4Ranges.objection(bytes)
        case 16: IPv6Ranges.objection(bytes)
        default: "it is not an address"
        }
    }
}

enum IPv4Ranges {
    private static let ranges: [(first: UInt32, prefix: UInt32, what: String)] = [
        (0x0000_0000, 8, "it is an address of this machine"),
        (0x0A00_0000, 8, "it is a private address"),
        (0x6440_0000, 10, "it is an address of a carrier's network"),
        (0x7F00_0000, 8, "it is an address of this machine"),
        (0xA9FE_0000, 16, "it is a link-local address"),
        (0xAC10_0000, 12, "it is a private address"),
        (0xC000_0000, 24, "it is a reserved address"),
        (0xC000_0200, 24, "it is an address for documentation"),
        (0xC058_6300, 24, "it is a reserved address"),
        (0xC0A8_0000, 16, "it is a private address"),
        (0xC612_0000, 15, "it is an address for measurements"),
        (0xC633_6400, 24, "it is an address for documentation"),
        (0xCB00_7100, 24, "it is an address for documentation"),
        (0xE000_0000, 4, "it is a multicast address"),
        (0xF000_0000, 4, "it is a reserved address"),
    ]

    static func objection(_ bytes: [UInt8]) -> String? {
        let address = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return ranges.first { address >> (32 - $0.prefix) == $0.first >> (32 - $0.prefix) }?.what
    }
}

enum IPv6Ranges {
    static func objection(_ bytes: [UInt8]) -> String? {
        let zeros = bytes.prefix { $0 == 0 }.count
        if zeros >= 15 { return "it is an address of this machine" }
        if zeros >= 12 { return IPv4Ranges.objection(Array(bytes[12...])) ?? "it contains an IPv4 address" }
        if zeros == 10, bytes[10] == 0xFF, bytes[11] == 0xFF { return IPv4Ranges.objection(Array(bytes[12...])) }
        // A gateway translates 64:ff9b::/96 to IPv4. 64:ff9b:1::/48 is the private range for such translations.
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]) {
            if bytes[4..<12].allSatisfy({ $0 == 0 }) { return IPv4Ranges.objection(Array(bytes[12...])) }
            return "it is a private address"
        }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return IPv4Ranges.objection(Array(bytes[2..<6])) }
        if bytes.starts(with: [0x20, 0x01, 0x00, 0x00]) { return "it is a tunnelled address" }
        if bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8]) { return "it is an address for documentation" }
        // Only 2000::/3 is allocated for public addresses.
        guard bytes[0] & 0xE0 == 0x20 else { return Self.special(bytes) }
        return nil
    }

    private static func special(_ bytes: [UInt8]) -> String {
        if bytes[0] & 0xFE == 0xFC { return "it is a private address" }
        if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return "it is a link-local address" }
        if bytes[0] == 0xFF { return "it is a multicast address" }
        return "it is a reserved address"
    }
}
