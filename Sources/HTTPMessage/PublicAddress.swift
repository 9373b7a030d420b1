/// Which addresses belong to the public internet, and which to this machine, a private network or nobody.
package enum PublicAddress {
    /// Why an address is not public; nil when it is.
    ///
    /// The bytes are four of IPv4 or sixteen of IPv6, as they are on the wire. An IPv4 address inside an IPv6 one (mapped,
    /// translated, 6to4) is judged as the IPv4 address.
    package static func objection(to bytes: [UInt8]) -> String? {
        switch bytes.count {
        case 4: IPv4Ranges.objection(bytes)
        case 16: IPv6Ranges.objection(bytes)
        default: "it is no address"
        }
    }
}
