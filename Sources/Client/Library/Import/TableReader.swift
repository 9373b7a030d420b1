import JSON
import RPC
import SearchModel

/// Reads the items of a CSV file.
enum TableReader {
    static func records(_ file: ArraySlice<UInt8>) throws(ClientError) -> [ImportRecord] {
        let head = file.prefix { $0 != UInt8(ascii: "\n") }
        let delimiter = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].max { left, right in
            head.count { $0 == left } < head.count { $0 == right }
        }
        var rows = TableRow.all(in: file, delimiter: delimiter ?? UInt8(ascii: ","))[...]
        let columns = (rows.popFirst()?.cells ?? []).map { CSVColumn(named: $0) }
        guard columns.contains(.url) || columns.contains(.id) else {
            throw ClientError(
                .usage,
                "the file is not ndjson, not a browser's bookmark file, and not a table with a column url or id",
                hint: "The first line of a table lists the columns, such as: title,url,tags,note,rating."
            )
        }
        var records: [ImportRecord] = []
        // The item of the last row. If the next row has the same id, the note of that row is added to this item.
        var pending: (line: Int, entry: LibraryEntry)?
        func end() {
            if let pending { records.append(ImportRecord(line: pending.line, outcome: .item(pending.entry.item))) }
            pending = nil
        }
        for row in rows where row.isUnclosed || row.cells.contains(where: { !$0.isEmpty }) {
            let (entry, problem) = entry(of: row, columns)
            if let problem {
                end()
                records.append(ImportRecord(line: row.line, outcome: .left(problem)))
            } else if let id = entry.id, pending?.entry.id?.hasSameBytes(as: id) == true {
                pending?.entry.notes += entry.notes
            } else {
                end()
                pending = (row.line, entry)
            }
        }
        end()
        return records
    }

    private static func entry(of row: TableRow, _ columns: [CSVColumn?]) -> (LibraryEntry, problem: String?) {
        var (entry, note) = (LibraryEntry(), LibraryEntry.Note())
        if row.isUnclosed { return (entry, "a quotation mark in it is never closed") }
        var taken: Set<CSVColumn> = []
        for (column, cell) in zip(columns, row.cells) {
            guard let column, !cell.isEmpty, taken.insert(column).inserted else { continue }
            let text = CSVTable.unguarded(cell)
            column.take(text, &entry, &note)
            let line = LibraryEntry.line(text)
            if column == .rating, note.rating == nil, !["", "0"].contains(ExactText(line)) {
                let shown = String(Substring(line.unicodeScalars.prefix(16)))
                return (entry, "rating: “\(shown)” is not a number from 1 to \(WireBounds.rating.upperBound)")
            }
        }
        if !note.isEmpty { entry.notes = [note] }
        if entry.id != nil || entry.url.map(LibraryEntry.isWebAddress) == true { return (entry, nil) }
        return (entry, entry.url == nil ? "it has no url" : "its url is not a web address")
    }
}

struct TableRow {
    let line: Int
    let cells: [String]
    let isUnclosed: Bool

    static func all(in file: ArraySlice<UInt8>, delimiter: UInt8) -> [TableRow] {
        let (quote, feed, carriageReturn) = (UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        var rows: [TableRow] = []
        var cells: [[UInt8]] = [[]]
        var (line, firstLine, isQuoted, wasClosed) = (1, 1, false, false)
        func end() {
            if cells[cells.count - 1].last == carriageReturn { cells[cells.count - 1].removeLast() }
            let texts = cells.map { String(decoding: $0, as: UTF8.self) }
            rows.append(TableRow(line: firstLine, cells: texts, isUnclosed: isQuoted))
            (cells, firstLine, isQuoted, wasClosed) = ([[]], line, false, false)
        }
        for byte in file {
            let last = cells.count - 1
            if byte == feed { line += 1 }
            if byte == quote, isQuoted {
                (isQuoted, wasClosed) = (false, true)
            } else if byte == quote, wasClosed {
                cells[last].append(quote)
                (isQuoted, wasClosed) = (true, false)
            } else if byte == quote, cells[last].isEmpty {
                isQuoted = true
            } else if byte == feed, !isQuoted {
                end()
            } else if byte == delimiter, !isQuoted {
                cells.append([])
                wasClosed = false
            } else {
                cells[last].append(byte)
                wasClosed = false
            }
        }
        if isQuoted || cells != [[]] { end() }
        return rows
    }
}
