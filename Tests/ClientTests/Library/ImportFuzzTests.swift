import JSON
import TestSupport
import Testing

@testable import Client

/// Files that no program would write, and items with any text in them.
struct ImportFuzzTests {
    private static let pieces = [
        "<", ">", "\"", "'", ",", ";", "\n", "\r\n", "\\", "|", "&", "&amp;", "&#x41;", "=", " ", "{", "}", "[", ":",
        "a",
        "고", "\u{301}", "<A HREF=\"https://a.example/", "</A>", "<DD>", "<DL>", "</DL>", "<H3>", "</H3>", "<!--", "url",
        "https://a.example/", #"{"id":"a.b:1","title":""#, "\t", "-", "@", "\u{1B}", "\u{202E}",
    ]

    private static func text(_ count: Int, _ generator: inout SeededGenerator) -> String {
        (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }

    private static func records(_ bytes: [UInt8], of format: ImportFormat, by step: () -> Int) throws -> [String] {
        var reader = format.reader
        var records: [ImportRecord] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(step())
            records += try reader.take(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        return try (records + reader.finish()).map { "\($0.line) \($0.outcome)" }
    }

    @Test(arguments: [ImportFormat.ndjson, .csv, .bookmarks])
    func `a file is read the same in whatever pieces it comes, and each item is one JSON object`(
        format: ImportFormat
    ) throws {
        var generator = SeededGenerator(seed: testSeed())
        for _ in 0..<400 {
            let head = format == .csv ? "url,title,note,tags\n" : ""
            var bytes = Array((head + Self.text(60, &generator)).utf8)
            // Some of them are not UTF-8.
            if Bool.random(using: &generator), bytes.count > 40 {
                bytes[Int.random(in: 30..<bytes.count, using: &generator)] = 0xFF
            }
            let whole = try Self.records(bytes, of: format) { bytes.count }
            let parts = try Self.records(bytes, of: format) { Int.random(in: 1...9, using: &generator) }
            #expect(whole == parts)
            var reader = format.reader
            for record in try reader.take(bytes) + reader.finish() {
                guard case .item(let json) = record.outcome else { continue }
                #expect(try JSONDocument(json, limits: SavedMembers.limits).root.kind == .object)
            }
        }
    }

    @Test(arguments: [ImportFormat.csv, .bookmarks])
    func `whatever stands in an item, its file brings it back`(format: ImportFormat) throws {
        var generator = SeededGenerator(seed: testSeed())
        for _ in 0..<400 {
            var entry = LibraryEntry()
            entry.id = "a.b:1"
            entry.title = LibraryEntry.line(Self.text(8, &generator))
            if entry.title.isEmpty { entry.title = "T" }
            entry.url = "https://a.example/" + LibraryEntry.line(Self.text(4, &generator))
            entry.tags = [LibraryEntry.line(Self.text(3, &generator))].filter { !$0.isEmpty }
            entry.savedAt = 1_700_000_000
            let note = LibraryEntry.lines(Self.text(8, &generator).replacingScalars { $0 == "\r" ? "" : nil })
            entry.notes = [LibraryEntry.Note(title: "t", text: note, rating: 3)]
            let file =
                format == .csv
                ? CSVTable.header + CSVTable.rows(entry)
                : BookmarkText.opening + BookmarkText.text(entry) + BookmarkText.closing
            var reader = format.reader
            let records = try reader.take(Array(file.utf8)) + reader.finish()
            #expect(records.map(\.outcome) == [.item(entry.item)], "\(file)")
        }
    }
}
