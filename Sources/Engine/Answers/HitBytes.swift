import SearchModel

/// Variants of a hit's serialised form, spliced rather than written anew.
package enum HitBytes {
    /// The hit with the other sources that have it, and with the source's own document as its last member if that is
    /// wanted and was kept.
    package static func text(of hit: HitPosition, withRaw: Bool) -> [UInt8] {
        let plain = hit.page.bytes[hit.entry.range]
        let raw = withRaw ? hit.page.raw[hit.entry.rawRange] : []
        guard !hit.duplicates.isEmpty || !raw.isEmpty else { return Array(plain) }
        var bytes = Array(plain.dropLast())
        if !hit.duplicates.isEmpty { bytes.append(contentsOf: alsoFrom(hit.duplicates)) }
        if !raw.isEmpty {
            bytes.append(contentsOf: ",\"raw\":".utf8)
            bytes.append(contentsOf: raw)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// The member that names the other sources, with the comma before it.
    static func alsoFrom(_ duplicates: [HitPosition.Duplicate]) -> [UInt8] {
        var bytes = Array(",\"alsoFrom\":".utf8)
        appendNames(duplicates, to: &bytes)
        return bytes
    }

    /// The other sources as a list.
    static func appendNames(_ duplicates: [HitPosition.Duplicate], to bytes: inout [UInt8]) {
        var separator = UInt8(ascii: "[")
        for duplicate in duplicates {
            // Names of sources hold nothing that must be escaped.
            bytes.append(separator)
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: duplicate.source.text.utf8)
            bytes.append(UInt8(ascii: "\""))
            separator = UInt8(ascii: ",")
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
