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

    /// How many scalars begin in a range of these bytes of UTF-8.
    @inline(__always)
    func scalarCount(in range: Range<Int>) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        // The buffer is read within the call only, below its count.
        return unsafe withUnsafeBytes { text in
            let end = range.upperBound
            var place = range.lowerBound
            var continuing = 0
            while place &+ 8 <= end {
                // A lane of eight bits counts so far.
                let stop = Swift.min(end &- 8, place &+ 8 &* 254)
                var lanes: UInt64 = 0
                while place <= stop {
                    unsafe lanes &+= Self.continuing(text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                    place &+= 8
                }
                continuing &+= Self.sum(lanes)
            }
            if place < end, place &+ 8 <= text.count {
                // What stands behind the range is shifted out.
                let word = unsafe text.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
                continuing &+= Self.sum(Self.continuing(word &<< UInt64((place &+ 8 &- end) &* 8)))
                place = end
            }
            while place < end {
                if unsafe text[place] & 0xC0 == 0x80 { continuing &+= 1 }
                place &+= 1
            }
            return range.count - continuing
        }
    }

    /// One in the lane of each byte that goes on with a scalar: whose first bit is set, and the second is not.
    @inline(__always)
    private static func continuing(_ word: UInt64) -> UInt64 {
        (word &>> 7) & ~(word &>> 6) & 0x0101_0101_0101_0101
    }

    /// The sum of eight lanes.
    @inline(__always)
    private static func sum(_ lanes: UInt64) -> Int {
        let pairs = (lanes & 0x00FF_00FF_00FF_00FF) &+ ((lanes &>> 8) & 0x00FF_00FF_00FF_00FF)
        return Int((pairs &* 0x0001_0001_0001_0001) &>> 48)
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
