/// The ranges of IPv4 that are not the public internet.
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

    /// Why an address of four bytes is not public; nil when it is.
    static func objection(_ bytes: [UInt8]) -> String? {
        let address = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return ranges.first { address >> (32 - $0.prefix) == $0.first >> (32 - $0.prefix) }?.what
    }
}
