/// Splits the bytes of a file into records as they come: lines, or rows of a table, within whose quotes lines may end.
///
/// A record is kept up to `bytesMax` bytes; a longer one is passed over, and told without its bytes.
struct RecordSplitter {
    static let bytesMax = 1 << 20

    struct Record {
        /// The number of its first line.
        let line: Int
        /// Without its line end; nil when it is too long.
        let bytes: [UInt8]?
        /// Whether the file ends within its quotes.
        var isUnclosed = false
    }

    /// What stands between the cells of a table; nil for lines.
    var delimiter: UInt8?
    private var kept: [UInt8] = []
    private var isTooLong = false
    /// Whether the last byte stands in quotes.
    private var isQuoted = false
    /// Whether a quote would open a cell.
    private var isAtCell = true
    /// Whether the last byte was a quote that closed a cell.
    private var isBehindQuote = false
    private var line = 1
    private var recordLine = 1

    /// The records that end within the bytes.
    mutating func take(_ bytes: [UInt8]) -> [Record] {
        var records: [Record] = []
        var start = bytes.startIndex
        while let end = end(in: bytes[start...]) {
            keep(bytes[start..<end])
            records.append(finished())
            start = end + 1
        }
        keep(bytes[start...])
        return records
    }

    /// What stands behind the last line end; nil when nothing does.
    mutating func finish() -> Record? {
        guard !kept.isEmpty || isTooLong else { return nil }
        let isUnclosed = isQuoted
        var record = finished()
        record.isUnclosed = isUnclosed
        return record
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong, kept.count + bytes.count <= Self.bytesMax else {
            kept = []
            isTooLong = true
            return
        }
        kept += bytes
    }

    private mutating func finished() -> Record {
        let bytes = kept.last == UInt8(ascii: "\r") ? Array(kept.dropLast()) : kept
        let record = Record(line: recordLine, bytes: isTooLong ? nil : bytes)
        (kept, isTooLong, isQuoted, isAtCell, isBehindQuote) = ([], false, false, true, false)
        recordLine = line
        return record
    }

    /// Where the line feed is that ends the record.
    private mutating func end(in bytes: ArraySlice<UInt8>) -> Int? {
        let feed = UInt8(ascii: "\n")
        guard let delimiter else {
            guard let end = bytes.firstIndex(of: feed) else { return nil }
            line += 1
            return end
        }
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == feed {
                line += 1
                if !isQuoted { return index }
            } else if byte == UInt8(ascii: "\"") {
                // Within quotes two of them are one, which opens again what it closes.
                if isQuoted { isQuoted = false } else if isAtCell || isBehindQuote { isQuoted = true }
            }
            isBehindQuote = byte == UInt8(ascii: "\"") && !isQuoted
            isAtCell = !isQuoted && byte == delimiter
        }
        return nil
    }
}
