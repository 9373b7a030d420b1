/// A table of names to look up in many objects.
///
/// Built once and compared without creating strings.
///
/// Each kind of object has its own group of names.
package final class JSONNames: Sendable {
    /// The first comparison of a lookup: the group and length of a name, and up to eight bytes of both ends as numbers.
    private struct Ends: Equatable {
        /// The group in the upper 32 bits, the length in the lower.
        let kind: UInt64
        let first: UInt64
        let last: UInt64

        /// A hash for tables whose size is a power of two.
        var hash: UInt64 {
            ((first ^ (kind &* 0xA24B_AED4_963E_E407)) &* 0x9E37_79B9_7F4A_7C15 ^ last) &* 0xD6E8_FEB8_6659_FD93
        }
    }

    private struct Name {
        let ends: Ends
        /// The offset of the name in `bytes`.
        let start: Int
    }

    /// The concatenated bytes of all names.
    private let bytes: [UInt8]
    private let names: [Name]
    /// A hash table with open addressing: the index of a name plus one, or 0.
    private let table: [UInt16]
    private let shift: UInt64

    /// Creates a table with one group.
    package convenience init(_ texts: [String]) {
        self.init(texts.map { (group: 0, text: $0) })
    }

    /// Creates a table; a name that occurs twice in a group is found at its first index.
    package init(_ texts: [(group: Int, text: String)]) {
        var bytes: [UInt8] = []
        var names: [Name] = []
        for (group, text) in texts {
            let text = Array(text.utf8)
            // The buffer is read only during the call.
            let ends = unsafe text.withUnsafeBytes { unsafe Self.ends(of: 0..<$0.count, in: $0, group) }
            names.append(Name(ends: ends, start: bytes.count))
            bytes += text
        }
        // At most a quarter of the table is used, so collisions are rare.
        let bits = max(2, UInt64.bitWidth - UInt64(names.count * 4).leadingZeroBitCount)
        shift = UInt64(UInt64.bitWidth - bits)
        var table = [UInt16](repeating: 0, count: 1 << bits)
        for index in names.indices {
            var slot = Int(names[index].ends.hash >> shift)
            while table[slot] != 0 { slot = (slot + 1) & (table.count - 1) }
            table[slot] = UInt16(index + 1)
        }
        self.bytes = bytes
        self.names = names
        self.table = table
    }

    /// The index of the name at a range of a text, if it is in the group.
    ///
    /// - Complexity: O(1) for almost all texts that are not in the table.
    @inline(__always)
    func index(of name: Range<Int>, in text: UnsafeRawBufferPointer, group: Int) -> Int? {
        let ends = unsafe Self.ends(of: name, in: text, group)
        var slot = Int(ends.hash >> shift)
        while table[slot] != 0 {
            let index = Int(table[slot]) - 1
            // The range is within the text.
            if unsafe names[index].ends == ends && isSame(names[index], name, in: text) { return index }
            slot = (slot + 1) & (table.count - 1)
        }
        return nil
    }

    /// Whether the bytes between the ends are equal too.
    @inline(__always)
    private func isSame(_ known: Name, _ name: Range<Int>, in text: UnsafeRawBufferPointer) -> Bool {
        guard name.count > 16 else { return true }
        for offset in 8..<name.count - 8 {
            // The offset is within the name.
            guard unsafe bytes[known.start + offset] == text[name.lowerBound + offset] else { return false }
        }
        return true
    }

    @inline(__always)
    private static func ends(of name: Range<Int>, in text: UnsafeRawBufferPointer, _ group: Int) -> Ends {
        let first = unsafe word(at: name.lowerBound, upTo: name.upperBound, of: text)
        let last = unsafe name.count > 8 ? word(at: name.upperBound - 8, upTo: name.upperBound, of: text) : first
        let kind = UInt64(truncatingIfNeeded: group) << 32 | UInt64(truncatingIfNeeded: name.count)
        return Ends(kind: kind, first: first, last: last)
    }

    /// Up to eight bytes as a little-endian number.
    @inline(__always)
    private static func word(at start: Int, upTo end: Int, of text: UnsafeRawBufferPointer) -> UInt64 {
        let count = min(8, end - start)
        if start + 8 <= text.count {
            // Eight bytes are within the text, and any eight bytes are a valid number.
            let word = unsafe text.loadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian
            return count == 8 ? word : word & (1 << UInt64(count * 8) - 1)
        }
        var word: UInt64 = 0
        // The bytes are within the text.
        for offset in 0..<count { word |= unsafe UInt64(text[start + offset]) << UInt64(offset * 8) }
        return word
    }
}
