/// Variants of a hit's serialised form, spliced rather than written anew.
package enum HitBytes {
    /// The hit with the source's own document as its last member; without one, as it is.
    package static func withRaw(_ hit: HitPlace) -> [UInt8] {
        let plain = hit.page.bytes[hit.entry.range]
        guard !hit.entry.rawRange.isEmpty else { return Array(plain) }
        var bytes = Array(plain.dropLast())
        bytes.append(contentsOf: ",\"raw\":".utf8)
        bytes.append(contentsOf: hit.page.raw[hit.entry.rawRange])
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
