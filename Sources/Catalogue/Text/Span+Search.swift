import CBytes
import JSON

extension Span<UInt8> {
    /// The first offset at or behind `start` that holds a byte, or the end.
    func index(of byte: UInt8, from start: Int) -> Int {
        // The buffer is read within the call only, below its count.
        unsafe withUnsafeBytes { text in
            var offset = start
            while let address = text.baseAddress, offset + 16 <= text.count {
                // Sixteen bytes are there.
                let found = unsafe bytes_equal(address + offset, byte)
                if found != 0 { return offset + found.trailingZeroBitCount }
                offset += 16
            }
            while offset < text.count, unsafe text[offset] != byte { offset += 1 }
            return Swift.max(offset, start)
        }
    }

    /// How many scalars begin in a range of these bytes of UTF-8.
    @inline(__always)
    func scalarCount(in range: Range<Int>) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        // The buffer is read within the call only, below its count.
        return unsafe withUnsafeBytes { text in
            let end = range.upperBound
            var offset = range.lowerBound
            var continuing = 0
            while offset &+ 8 <= end {
                // A lane of eight bits counts so far.
                let stop = Swift.min(end &- 8, offset &+ 8 &* 254)
                var lanes: UInt64 = 0
                while offset <= stop {
                    unsafe lanes &+= Self.continuing(text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                    offset &+= 8
                }
                continuing &+= Self.sum(lanes)
            }
            if offset < end, offset &+ 8 <= text.count {
                // What stands behind the range is shifted out.
                let word = unsafe text.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
                continuing &+= Self.sum(Self.continuing(word &<< UInt64((offset &+ 8 &- end) &* 8)))
                offset = end
            }
            while offset < end {
                if unsafe text[offset] & 0xC0 == 0x80 { continuing &+= 1 }
                offset &+= 1
            }
            return range.count - continuing
        }
    }

    /// A one in the lane of each continuation byte of UTF-8, whose first bit is set and whose second is not.
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

    /// Whether some bytes stand at an offset.
    func holds(_ bytes: [UInt8], at start: Int) -> Bool {
        guard start >= 0, bytes.count <= count - start else { return false }
        for offset in bytes.indices where self[start + offset] != bytes[offset] { return false }
        return true
    }

    var isASCII: Bool {
        for offset in 0..<count where self[offset] >= 0x80 { return false }
        return true
    }

    /// Whether these bytes and others are the same.
    func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for offset in 0..<count where self[offset] != other[offset] { return false }
        return true
    }

    func begins(with other: Span<UInt8>) -> Bool {
        count >= other.count && extracting(..<other.count).isSame(as: other)
    }

    func ends(with other: Span<UInt8>) -> Bool {
        count >= other.count && extracting((count - other.count)...).isSame(as: other)
    }

    /// Whether some bytes stand at an offset, whatever the case of letters; what is looked for is in lower case.
    func holdsLettersOf(_ bytes: [UInt8], at start: Int) -> Bool {
        guard start >= 0, bytes.count <= count - start else { return false }
        for offset in bytes.indices where self[start + offset].lowered != bytes[offset] { return false }
        return true
    }

    /// The value of two hexadecimal digits; nil where they are not.
    @inline(__always)
    func hexPair(at offset: Int) -> UInt8? {
        guard offset + 2 <= count, let high = self[offset].hexValue, let low = self[offset + 1].hexValue
        else {
            return nil
        }
        return high << 4 | low
    }
}
