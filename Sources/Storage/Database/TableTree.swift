/// The tree of pages that a table of a SQLite file is.
///
/// A page that can't be read hides the rows below it; where the leaves end tells which rows these are. Pure.
struct TableTree {
    /// The first byte of a page that only leads to others.
    private static let innerKind: UInt8 = 5
    private static let innerHeaderBytes = 12

    /// The highest numbers that rows of a leaf may have, but for the last leaf, in order.
    ///
    /// What damaged pages say may be among them.
    ///
    /// - Parameters:
    ///   - root: The number of the tree's first page.
    ///   - pageCount: No page has a higher number.
    ///   - page: Reads one; nil when it can't.
    /// - Returns: The numbers.
    /// - Complexity: O(n) in the pages of the table, each of which is read once.
    static func leafEnds(root: Int, pageCount: Int, page: (Int) -> [UInt8]?) -> [Int64] {
        var ends: Set<Int64> = []
        var seen: Set<Int> = []
        var pending = [root]
        while let number = pending.popLast() {
            guard (1...max(1, pageCount)).contains(number), seen.insert(number).inserted, let bytes = page(number),
                bytes.count >= innerHeaderBytes, bytes[0] == innerKind
            else { continue }
            pending.append(integer(bytes, at: 8, count: 4))
            for index in 0..<integer(bytes, at: 3, count: 2) {
                let pointer = innerHeaderBytes + 2 * index
                guard pointer + 2 <= bytes.count else { break }
                let cell = integer(bytes, at: pointer, count: 2)
                guard cell + 4 < bytes.count else { continue }
                pending.append(integer(bytes, at: cell, count: 4))
                ends.insert(varint(bytes[(cell + 4)...]))
            }
        }
        return ends.filter { $0 > 0 && $0 < .max }.sorted()
    }

    private static func integer(_ bytes: [UInt8], at offset: Int, count: Int) -> Int {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A number of up to nine bytes, of which the last one counts whole and the others seven bits.
    private static func varint(_ bytes: ArraySlice<UInt8>) -> Int64 {
        var number: UInt64 = 0
        for (index, byte) in bytes.prefix(9).enumerated() {
            if index == 8 { return Int64(bitPattern: number << 8 | UInt64(byte)) }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return Int64(bitPattern: number)
    }
}
