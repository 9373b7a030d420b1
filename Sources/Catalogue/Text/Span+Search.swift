import CBytes

extension Span<UInt8> {
    /// The first place at or behind `start` that holds a byte, or the end.
    func place(of byte: UInt8, from start: Int) -> Int {
        // The buffer is read within the call only, below its count.
        unsafe withUnsafeBytes { text in
            var place = start
            while let address = text.baseAddress, place + 16 <= text.count {
                // Sixteen bytes are there.
                let found = unsafe bytes_equal(address + place, byte)
                if found != 0 { return place + found.trailingZeroBitCount }
                place += 16
            }
            while place < text.count, unsafe text[place] != byte { place += 1 }
            return Swift.max(place, start)
        }
    }

    /// How many scalars begin among these bytes of UTF-8.
    var scalarCount: Int {
        // The buffer is read within the call only, below its count.
        unsafe withUnsafeBytes { text in
            var place = 0
            var count = text.count
            while let address = text.baseAddress, place + 16 <= text.count {
                // Sixteen bytes are there.
                count -= unsafe Int(bytes_continuing(address + place))
                place += 16
            }
            while place < text.count {
                if unsafe text[place] & 0xC0 == 0x80 { count -= 1 }
                place += 1
            }
            return count
        }
    }

    /// Whether some bytes stand at a place.
    func holds(_ bytes: [UInt8], at start: Int) -> Bool {
        guard start >= 0, bytes.count <= count - start else { return false }
        for offset in bytes.indices where self[start + offset] != bytes[offset] { return false }
        return true
    }

    var isASCII: Bool {
        for place in 0..<count where self[place] >= 0x80 { return false }
        return true
    }

    /// Whether these bytes and others are the same.
    func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for place in 0..<count where self[place] != other[place] { return false }
        return true
    }

    func begins(with other: Span<UInt8>) -> Bool {
        count >= other.count && extracting(..<other.count).isSame(as: other)
    }

    func ends(with other: Span<UInt8>) -> Bool {
        count >= other.count && extracting((count - other.count)...).isSame(as: other)
    }

    /// Whether some bytes stand at a place, whatever the case of letters; what is looked for is in lower case.
    func holdsLettersOf(_ bytes: [UInt8], at start: Int) -> Bool {
        guard start >= 0, bytes.count <= count - start else { return false }
        for offset in bytes.indices where self[start + offset].lowered != bytes[offset] { return false }
        return true
    }
}

extension UInt8 {
    /// The same letter in lower case, if it is a capital one of ASCII.
    var lowered: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    /// The same letter as a capital one, if it is a small one of ASCII.
    var raised: UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self & ~0x20 : self
    }
}
