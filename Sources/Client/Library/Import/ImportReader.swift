import JSON
import SearchModel

/// Something that a file has, in the order of the file.
struct ImportRecord {
    /// The number of the line that it begins on.
    let line: Int
    /// An ITEM as JSON, or why it can't be one.
    let outcome: Outcome

    enum Outcome: Equatable {
        case item([UInt8])
        case left(String)
    }

    static let tooLong = Outcome.left("it is longer than 1 MiB")
    static let notText = Outcome.left("it is not UTF-8")
    static let unclosed = Outcome.left("a quote in it is never closed, so that all that follows is in it")
}

/// Reads a file piece by piece, and holds no more of it than one record.
protocol ImportReader {
    /// What the bytes complete.
    mutating func take(_ bytes: [UInt8]) throws(ClientError) -> [ImportRecord]
    /// What the end of the file completes.
    mutating func finish() throws(ClientError) -> [ImportRecord]
}

/// The kinds of file that can be imported.
enum ImportFormat: Equatable {
    case ndjson
    case csv
    case bookmarks

    /// Enough of a file to know it.
    static let bytesMin = 512

    /// Knows a file by its beginning.
    ///
    /// - Throws: `usage` for one that can't be imported.
    init(_ beginning: [UInt8]) throws(ClientError) {
        if beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF]) {
            throw Self.notUTF8("UTF-16")
        }
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        switch Self.withoutMark(beginning).first(where: { !blanks.contains($0) }) {
        case UInt8(ascii: "{"): self = .ndjson
        case UInt8(ascii: "<"): self = .bookmarks
        case UInt8(ascii: "["):
            throw Self.refused(
                "the file is one JSON array",
                "Put its elements on lines of their own: jq -c '.[]' FILE."
            )
        case UInt8(ascii: "@"), UInt8(ascii: "%"):
            throw Self.refused("BibTeX can't be imported", "Give ndjson, CSV, or a browser's bookmark file.")
        case nil: throw Self.refused("the file is empty", "Give ndjson, CSV, or a browser's bookmark file.")
        case _: self = .csv
        }
    }

    /// A text without the byte order mark that some programs put before it.
    static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }

    var reader: any ImportReader {
        switch self {
        case .ndjson: LineReader()
        case .csv: TableReader()
        case .bookmarks: BookmarkReader()
        }
    }

    /// The error of a text in another encoding, which may be `encoding`.
    static func notUTF8(_ encoding: String) -> ClientError {
        refused("the file is not UTF-8", "Convert it first, for example: iconv -f \(encoding) -t UTF-8 FILE >NEW.")
    }

    private static func refused(_ message: String, _ hint: String) -> ClientError {
        ClientError(.usage, message, hint: hint)
    }
}
