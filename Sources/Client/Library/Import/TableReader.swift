import JSON
import RPC
import SearchModel

/// Reads a table (CSV): a library's own, or that of another program whose columns have names that are known; pure.
enum TableReader {
    static func records(_ file: ArraySlice<UInt8>) throws(ClientError) -> [ImportRecord] {
        let head = file.prefix { $0 != UInt8(ascii: "\n") }
        let delimiter = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].max { left, right in
            head.count { $0 == left } < head.count { $0 == right }
        }
        var rows = TableRow.all(in: file, delimiter: delimiter ?? UInt8(ascii: ","))[...]
        guard let first = rows.popFirst() else { return [] }
        // What spreadsheets write in Korean unless they are told otherwise.
        guard let names = first.texts else { throw ImportFormat.notUTF8("CP949") }
        let columns = names.map(CSVTable.column)
        guard columns.contains(where: { $0?.name == "url" || $0?.name == "id" }) else {
            throw ClientError(
                .usage,
                "the file is no table with a column url or id, nor ndjson, nor a browser's bookmark file",
                hint: "Of a table, the first line names the columns, such as: title,url,tags,note,rating."
            )
        }
        var records: [ImportRecord] = []
        // The last item: further rows of the same id are notes of it.
        var pending: (line: Int, entry: LibraryEntry)?
        func end() {
            if let pending { records.append(ImportRecord(line: pending.line, outcome: .item(pending.entry.item))) }
            pending = nil
        }
        for row in rows where row.isUnclosed || row.cells.contains(where: { !$0.isEmpty }) {
            switch entry(of: row, columns) {
            case .failure(let left):
                end()
                records.append(ImportRecord(line: row.line, outcome: left.outcome))
            case .success(let entry):
                if let id = entry.id, pending?.entry.id?.hasSameBytes(as: id) == true {
                    pending?.entry.notes += entry.notes
                } else {
                    end()
                    pending = (row.line, entry)
                }
            }
        }
        end()
        return records
    }

    /// Why a row is not an item.
    private struct Left: Error {
        let outcome: ImportRecord.Outcome
    }

    private static func entry(of row: TableRow, _ columns: [CSVTable.Column?]) -> Result<LibraryEntry, Left> {
        func left(_ outcome: ImportRecord.Outcome) -> Result<LibraryEntry, Left> { .failure(Left(outcome: outcome)) }
        guard !row.isUnclosed else { return left(ImportRecord.unclosed) }
        guard row.byteCount <= ImportRecord.bytesMax else { return left(ImportRecord.tooLong) }
        guard let cells = row.texts else { return left(ImportRecord.notText) }
        var named: [String: String] = [:]
        for (column, cell) in zip(columns, cells) {
            guard let column, !cell.isEmpty, named[column.name] == nil else { continue }
            named[column.name] = CSVTable.unguarded(cell)
        }
        if let rating = named["rating"], ImportNumber.rating(rating) == nil, !ImportNumber.isNone(rating) {
            let text = String(Substring(LibraryEntry.line(rating).unicodeScalars.prefix(16)))
            return left(.left("rating: “\(text)” is not a number from 1 to \(WireBounds.rating.upperBound)"))
        }
        let entry = CSVTable.entry(named)
        guard entry.id != nil || entry.url.map(LibraryEntry.isWebAddress) == true else {
            return left(.left(entry.url == nil ? "it has no url" : "its url is no web address"))
        }
        return .success(entry)
    }
}

/// One row of a table; pure.
struct TableRow {
    /// The number of its first line.
    let line: Int
    private(set) var cells: [[UInt8]] = [[]]
    /// Whether the file ends within its quotes.
    private(set) var isUnclosed = false

    var byteCount: Int { cells.reduce(0) { $0 + $1.count + 1 } - 1 }

    /// The cells as texts; nil when one is not UTF-8.
    var texts: [String]? {
        let texts = cells.compactMap { String(validating: $0, as: UTF8.self) }
        return texts.count == cells.count ? texts : nil
    }

    private init(line: Int) { self.line = line }

    /// The rows of a file; within quotes lines may end.
    static func all(in file: ArraySlice<UInt8>, delimiter: UInt8) -> [TableRow] {
        let (quote, feed, carriageReturn) = (UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        var rows: [TableRow] = []
        var row = TableRow(line: 1)
        var (line, isQuoted, wasClosed) = (1, false, false)
        func end() {
            if row.cells[row.cells.count - 1].last == carriageReturn { row.cells[row.cells.count - 1].removeLast() }
            row.isUnclosed = isQuoted
            rows.append(row)
            (row, isQuoted, wasClosed) = (TableRow(line: line), false, false)
        }
        for byte in file {
            let last = row.cells.count - 1
            if byte == feed { line += 1 }
            if byte == quote, isQuoted {
                (isQuoted, wasClosed) = (false, true)
            } else if byte == quote, wasClosed {
                // Two of them stand for one.
                row.cells[last].append(quote)
                (isQuoted, wasClosed) = (true, false)
            } else if byte == quote, row.cells[last].isEmpty {
                isQuoted = true
            } else if byte == feed, !isQuoted {
                end()
            } else if byte == delimiter, !isQuoted {
                row.cells.append([])
                wasClosed = false
            } else {
                row.cells[last].append(byte)
                wasClosed = false
            }
        }
        if isQuoted || row.cells != [[]] { end() }
        return rows
    }
}
