/// The ranges of IPv6 that are not the public internet, and those that carry an IPv4 address inside.
enum IPv6Ranges {
    /// Why an address of sixteen bytes is not public; nil when it is.
    static func objection(_ bytes: [UInt8]) -> String? {
        let zeros = bytes.prefix { $0 == 0 }.count
        if zeros >= 15 { return "it is an address of this machine" }
        if zeros >= 12 { return IPv4Ranges.objection(Array(bytes[12...])) ?? "it is an IPv4 address in disguise" }
        if zeros == 10, bytes[10] == 0xFF, bytes[11] == 0xFF { return IPv4Ranges.objection(Array(bytes[12...])) }
        // 64:ff9b::/96 translates to IPv4; 64:ff9b:1::/48 does so for private use.
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]) {
            if bytes[4..<12].allSatisfy({ $0 == 0 }) { return IPv4Ranges.objection(Array(bytes[12...])) }
            return "it is a private address"
        }
        // 6to4 carries the IPv4 address behind its first two bytes.
        if bytes[0] == 0x20, bytes[1] == 0x02 { return IPv4Ranges.objection(Array(bytes[2..<6])) }
        if bytes.starts(with: [0x20, 0x01, 0x00, 0x00]) { return "it is a tunnelled address" }
        if bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8]) { return "it is an address for documentation" }
        // Only 2000::/3 is given out for the public internet.
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
