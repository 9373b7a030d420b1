import CBytes

/// The bytes that a URL may hold as they stand: visible ASCII without a few signs.
enum URLBytes {
    static func contain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), 0x7F...:
            false
        default: true
        }
    }

    /// Whether there are no others among some bytes.
    static func all(in bytes: Span<UInt8>) -> Bool {
        // The buffer is read within the call only, below its count.
        unsafe bytes.withUnsafeBytes { text in
            guard let address = text.baseAddress, text.count >= 16 else { return unsafe text.allSatisfy(contain) }
            var offset = 0
            while offset < text.count {
                // Sixteen bytes are there: the last sixteen, some of them known already, when fewer are left.
                guard unsafe bytes_not_of_urls(address + min(offset, text.count - 16)) == 0 else { return false }
                offset += 16
            }
            return true
        }
    }
}
