import JSON
import RPC
import SearchModel

/// Reads a table (CSV): a library's own, or that of another program whose columns have names that are known.
struct TableReader: ImportReader {
    private var splitter = RecordSplitter()
    /// What each column is; empty before the first row.
    private var columns: [CSVTable.Column?] = []
    /// The last item: further rows of the same id are notes of it.
    private var pending: (line: Int, entry: LibraryEntry)?

    mutating func take(_ bytes: [UInt8]) throws(ClientError) -> [ImportRecord] {
        guard columns.isEmpty else { return splitter.take(bytes).flatMap { take($0) } }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            return try begin(splitter.take(bytes))
        }
        // The first row says what stands between the cells of the others.
        var records = try begin(splitter.take(Array(bytes[...end])))
        if end + 1 < bytes.count { records += try take(Array(bytes[(end + 1)...])) }
        return records
    }

    mutating func finish() throws(ClientError) -> [ImportRecord] {
        let rest = splitter.finish().map { [$0] } ?? []
        let records = columns.isEmpty ? try begin(rest) : rest.flatMap { take($0) }
        return records + ended()
    }

    private mutating func begin(_ records: [RecordSplitter.Record]) throws(ClientError) -> [ImportRecord] {
        guard let first = records.first else { return [] }
        let bytes = ImportFormat.withoutMark(first.bytes ?? [])
        let delimiter = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].max { left, right in
            bytes.count { $0 == left } < bytes.count { $0 == right }
        }
        guard let names = TableRow.cells(bytes, delimiter: delimiter ?? UInt8(ascii: ",")) else {
            // What spreadsheets write in Korean unless they are told otherwise.
            throw ImportFormat.notUTF8("CP949")
        }
        columns = names.map(CSVTable.column)
        splitter.delimiter = delimiter
        guard columns.contains(where: { $0?.name == "url" || $0?.name == "id" }) else {
            throw ClientError(
                .usage,
                "the file is no table with a column url or id, nor ndjson, nor a browser's bookmark file",
                hint: "Of a table, the first line names the columns, such as: title,url,tags,note,rating."
            )
        }
        return []
    }

    /// What the row completes.
    private mutating func take(_ record: RecordSplitter.Record) -> [ImportRecord] {
        func left(_ outcome: ImportRecord.Outcome) -> [ImportRecord] {
            ended() + [ImportRecord(line: record.line, outcome: outcome)]
        }
        guard !record.isUnclosed else { return left(ImportRecord.unclosed) }
        guard let bytes = record.bytes else { return left(ImportRecord.tooLong) }
        guard let cells = TableRow.cells(bytes[...], delimiter: splitter.delimiter ?? UInt8(ascii: ",")) else {
            return left(ImportRecord.notText)
        }
        guard cells.contains(where: { !$0.isEmpty }) else { return [] }
        var row: [String: String] = [:]
        for (column, cell) in zip(columns, cells) {
            guard let column, !cell.isEmpty, row[column.name] == nil else { continue }
            row[column.name] = CSVTable.unguarded(cell)
        }
        if let rating = row["rating"], ImportNumber.rating(rating) == nil, !ImportNumber.isNone(rating) {
            let text = String(Substring(LibraryEntry.line(rating).unicodeScalars.prefix(16)))
            return left(.left("rating: “\(text)” is not a number from 1 to \(WireBounds.rating.upperBound)"))
        }
        let entry = CSVTable.entry(row)
        if let id = entry.id, pending?.entry.id?.hasSameBytes(as: id) == true {
            pending?.entry.notes += entry.notes
            return []
        }
        guard entry.id != nil || entry.url.map(LibraryEntry.isWebAddress) == true else {
            return left(.left(entry.url == nil ? "it has no url" : "its url is no web address"))
        }
        defer { pending = (record.line, entry) }
        return ended()
    }

    /// The last item, of which no more rows come.
    private mutating func ended() -> [ImportRecord] {
        defer { pending = nil }
        return pending.map { [ImportRecord(line: $0.line, outcome: .item($0.entry.item))] } ?? []
    }
}

/// One row of a table; pure.
enum TableRow {
    /// The cells of a row; nil when it is not UTF-8.
    static func cells(_ row: ArraySlice<UInt8>, delimiter: UInt8) -> [String]? {
        let quote = UInt8(ascii: "\"")
        var cells: [[UInt8]] = [[]]
        var (isQuoted, isClosed) = (false, false)
        for byte in row {
            if byte == quote, isQuoted {
                (isQuoted, isClosed) = (false, true)
            } else if byte == quote, isClosed {
                // Two of them stand for one.
                cells[cells.count - 1].append(quote)
                (isQuoted, isClosed) = (true, false)
            } else if byte == quote, cells[cells.count - 1].isEmpty {
                isQuoted = true
            } else if byte == delimiter, !isQuoted {
                cells.append([])
                isClosed = false
            } else {
                cells[cells.count - 1].append(byte)
                isClosed = false
            }
        }
        let texts = cells.compactMap { String(validating: $0, as: UTF8.self) }
        return texts.count == cells.count ? texts : nil
    }
}
