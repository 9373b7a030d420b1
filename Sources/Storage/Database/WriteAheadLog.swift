/// A write-ahead log as SQLite keeps it beside a file, read without SQLite.
///
/// It tells which pages the log brings, and whether a part of it is lost that had been committed. Pure.
///
/// SQLite reads a log up to the first frame that is not as it was written, and drops all behind it without a word. That
/// is right after a loss of power, which leaves the last transaction incomplete. But a transaction begins only when the
/// disk has the one before it: so a whole one behind a bad frame of an earlier one proves that what was on the disk is
/// damaged.
///
/// Frames of an earlier round behind those of this one have other salts and don't count. What transactions that came to
/// nothing have left behind has the salts of this round, but no whole transaction follows the end of another there: its
/// first frame would have to continue the checksum of that end.
package struct WriteAheadLog: Sendable {
    /// Longer logs are not read: SQLite writes them back into the file long before that, but for one huge transaction.
    package static let bytesMax = 64 << 20

    private static let headerBytes = 32
    private static let frameHeaderBytes = 24
    /// The last bit says whether checksums are of big-endian numbers.
    private static let magic: UInt32 = 0x377f_0682

    /// A page as a transaction left it.
    package struct Page: Equatable, Sendable {
        /// From 1.
        package let number: Int
        /// Its bytes in the log.
        package let bytes: Range<Int>
    }

    private struct Frame {
        let page: Page
        /// How many pages the file has after the transaction that ends with this frame; 0 when none does.
        let committedPages: UInt32
        let salts: Salts
        /// Whether it is as it was written, given the checksum of the frame before it.
        let isWhole: Bool

        /// Whether it is what SQLite fills the last sector of a transaction with, on disks that need that.
        func repeats(_ end: Frame) -> Bool {
            page.number == end.page.number && committedPages == end.committedPages
        }
    }

    private struct Salts: Equatable {
        let first, second: UInt32
    }

    package let pageBytes: Int
    /// Whether something that was committed can't be read.
    package let isDamaged: Bool
    /// What transactions brought that are complete, the oldest first; without damaged frames.
    package let pages: [Page]

    /// - Parameters:
    ///   - bytes: Of the log, all of them.
    ///   - pageBytes: What a page has where the log's own header can't tell.
    /// - Complexity: O(n) in the bytes.
    package init(_ bytes: [UInt8], pageBytes: Int) {
        let log = Bytes(bytes: bytes)
        let header = log.header()
        self.pageBytes = header?.pageBytes ?? pageBytes
        let frames = log.frames(of: self.pageBytes, header)
        let salts = header?.salts ?? frames.dropFirst().first { $0.isWhole }?.salts
        let isGood = frames.map { $0.isWhole && $0.salts == salts && $0.page.number > 0 }
        // What SQLite reads.
        let intact = header == nil ? 0 : isGood.firstIndex(of: false) ?? frames.count
        let proven = Self.lastProvenEnd(in: frames, isGood, salts, from: intact)
        isDamaged = proven != nil
        let committed = frames[..<intact].lastIndex { $0.committedPages > 0 }.map { $0 + 1 }
        let end = proven ?? committed ?? 0
        pages = (0..<end).filter { isGood[$0] }.map { frames[$0].page }
    }

    /// Where the last whole transaction ends, if one came after another that had ended behind a bad frame.
    private static func lastProvenEnd(
        in frames: [Frame],
        _ isGood: [Bool],
        _ salts: Salts?,
        from bad: Int
    ) -> Int? {
        var isProven = false
        var lastEnd = 0
        // The frame that ended a transaction, with all after it good so far.
        var ended: Int?
        for index in frames.indices.dropFirst(bad) {
            let frame = frames[index]
            if !isGood[index] { ended = nil }
            guard frame.committedPages > 0, frame.salts == salts else { continue }
            if let before = ended {
                // What follows at once and is the same may be a filling.
                isProven = isProven || index > before + 1 || !frame.repeats(frames[before])
                lastEnd = index + 1
            }
            ended = index
        }
        return isProven ? lastEnd : nil
    }

    // MARK: Bytes

    /// The bytes of a log, read as SQLite's documents describe them.
    private struct Bytes {
        let bytes: [UInt8]

        /// Nil when it is not as it was written.
        func header() -> (pageBytes: Int, salts: Salts, sum: Checksum)? {
            guard bytes.count >= headerBytes, number(at: 0) & ~1 == magic else { return nil }
            var sum = Checksum(isBigEndian: number(at: 0) & 1 == 1)
            sum.add(bytes, 0..<24)
            let pageBytes = Int(number(at: 8))
            guard sum.isStored(in: bytes, at: 24), pageBytes.nonzeroBitCount == 1, (512...65_536).contains(pageBytes)
            else { return nil }
            return (pageBytes, Salts(first: number(at: 16), second: number(at: 20)), sum)
        }

        func frames(of pageBytes: Int, _ header: (pageBytes: Int, salts: Salts, sum: Checksum)?) -> [Frame] {
            let frameBytes = frameHeaderBytes + pageBytes
            // Without its header, a log is taken for one of this machine.
            var sum = header?.sum ?? Checksum(isBigEndian: 1.bigEndian == 1)
            var mayContinue = header != nil
            return stride(from: headerBytes, through: bytes.count - frameBytes, by: frameBytes).map { start in
                let page = start + frameHeaderBytes..<start + frameBytes
                sum.add(bytes, start..<start + 8)
                sum.add(bytes, page)
                let isWhole = mayContinue && sum.isStored(in: bytes, at: start + 16)
                // The next one continues what stands here, right or wrong.
                sum = sum.stored(in: bytes, at: start + 16)
                mayContinue = true
                return Frame(
                    page: Page(number: Int(number(at: start)), bytes: page),
                    committedPages: number(at: start + 4),
                    salts: Salts(first: number(at: start + 8), second: number(at: start + 12)),
                    isWhole: isWhole
                )
            }
        }

        private func number(at offset: Int) -> UInt32 { UInt32(bytes, at: offset, isBigEndian: true) }
    }

    /// The sum that each frame of a log continues.
    private struct Checksum {
        let isBigEndian: Bool
        private(set) var first: UInt32 = 0
        private(set) var second: UInt32 = 0

        init(isBigEndian: Bool) {
            self.isBigEndian = isBigEndian
        }

        /// Adds a multiple of eight bytes.
        mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                first &+= UInt32(bytes, at: start, isBigEndian: isBigEndian) &+ second
                second &+= UInt32(bytes, at: start + 4, isBigEndian: isBigEndian) &+ first
            }
        }

        func isStored(in bytes: [UInt8], at offset: Int) -> Bool {
            let other = stored(in: bytes, at: offset)
            return first == other.first && second == other.second
        }

        func stored(in bytes: [UInt8], at offset: Int) -> Checksum {
            var sum = self
            sum.first = UInt32(bytes, at: offset, isBigEndian: true)
            sum.second = UInt32(bytes, at: offset + 4, isBigEndian: true)
            return sum
        }
    }
}

extension UInt32 {
    /// The number that four bytes are.
    fileprivate init(_ bytes: [UInt8], at start: Int, isBigEndian: Bool) {
        let number =
            UInt32(bytes[start]) << 24 | UInt32(bytes[start + 1]) << 16 | UInt32(bytes[start + 2]) << 8
            | UInt32(bytes[start + 3])
        self = isBigEndian ? number : number.byteSwapped
    }
}
