import Glibc
import JSON
import RPC
import TestSupport
import Testing

@testable import Client

/// `library export` and `library import` with a daemon.
struct LibraryFilesTests {
    private let directory = TemporaryDirectory()

    private func run(_ library: FakeLibrary, _ words: String..., input: String = "") -> Run {
        Run(["library"] + words, in: directory, socket: library.path, input: input)
    }

    private func library(_ name: String = "socket", _ items: [JSONValue] = [], pageItemsMax: Int = 1000) throws
        -> FakeLibrary
    {
        try FakeLibrary(at: directory.file(name), items, pageItemsMax: pageItemsMax)
    }

    private static let items = (1...5).map { number in
        FakeLibrary.item(
            "\(number)",
            title: "고양이 \(number)\n'\"<&,{}",
            more: [
                JSONMember("tags", ["여름", "a,b"]),
                JSONMember("notes", [["id": "1", "title": "제목", "text": "글\n둘째", "rating": 4]]),
            ]
        )
    }

    @Test func `an export that is imported into an empty library is the same library, and twice is once`() throws {
        let (full, empty) = (try library("full", Self.items, pageItemsMax: 2), try library("empty"))
        let exported = run(full, "export")
        #expect(exported.status == .found && exported.errors == "")
        #expect(exported.lines.count == Self.items.count)
        directory.write(exported.output, to: "library.ndjson")
        let first = run(empty, "import", directory.file("library.ndjson"))
        #expect(first.status == .found && first.output == "5 items imported\n" && first.errors == "")
        #expect(empty.items == full.items)
        let second = run(empty, "import", "-", input: exported.output)
        #expect(second.status == .found && second.output == "5 items imported, all of them saved before\n")
        #expect(empty.items == full.items)
        #expect(run(empty, "export").output == exported.output)
    }

    @Test(arguments: ["csv", "html"]) func `other formats bring back all that they hold`(format: String) throws {
        let (full, empty) = (try library("full", Self.items), try library("empty"))
        _ = run(empty, "import", "-", input: run(full, "export", "--format", format).output)
        #expect(empty.items.map { $0["id"] } == full.items.map { $0["id"] })
        for (left, right) in zip(empty.items, full.items) {
            for member in ["source", "kind", "url", "savedAt", "tags"] { #expect(left[member] == right[member]) }
            #expect(left["title"]?.string == right["title"]?.string?.replacing("\n", with: " "))
            if format == "html" { #expect(left["updatedAt"] == right["updatedAt"]) }
            #expect(left["notes"]?[0]?["text"] == "글\n둘째" && left["notes"]?[0]?["rating"] == 4)
        }
    }

    @Test(arguments: ["ndjson", "csv", "markdown", "html", "bibtex", "ris"])
    func `each format begins and ends as it must, also when nothing is saved`(format: String) throws {
        let exported = run(try library(), "export", "--format", format)
        let parsed = try #require(ExportFormat(rawValue: format))
        #expect(exported.status == .nothingFound && exported.output == parsed.opening + parsed.closing)
        #expect(exported.errors == "Nothing is saved yet; “searchctl save 1” saves a hit.\n")
    }

    @Test func `what a format has no room for is told`() throws {
        var page = FakeLibrary.item("2")
        page = .object(
            (page.members ?? []).filter { $0.name != "url" && $0.name != "kind" } + [JSONMember("kind", "web")]
        )
        let library = try library("socket", [FakeLibrary.item("1"), page])
        let bookmarks = run(library, "export", "--format", "html")
        #expect(bookmarks.status == .found && bookmarks.output.contains("책 1") && !bookmarks.output.contains("책 2"))
        #expect(bookmarks.errors == "1 item left out: a bookmark needs a web address.\n")
        #expect(run(library, "export", "--format", "ris").errors == "1 item left out: this format is for books.\n")
    }

    @Test(arguments: ExportFormat.names) func `on a terminal no export drives it`(format: String) throws {
        let library = try library("socket", [FakeLibrary.item("1", title: "\u{1B}[2J\u{202E}고양이")])
        func exported(isTerminal: Bool) -> String {
            let words = ["library", "export", "--format", format]
            return Run(words, in: directory, socket: library.path, isTerminal: isTerminal).output
        }
        let shown = exported(isTerminal: true)
        #expect(shown.contains("고양이"))
        #expect(!shown.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        #expect(exported(isTerminal: false).unicodeScalars.contains("\u{202E}"))
    }

    @Test func `a batch is full at its limits, of items and of bytes`() {
        func item(_ bytes: Int) -> ImportBatch.Item {
            ImportBatch.Item(line: 1, json: Array(repeating: 0x20, count: bytes))
        }
        var batch = ImportBatch()
        let added = (0...ImportBatch.itemsMax).map { _ in batch.add(item(2)) }
        #expect(added.count { $0 } == ImportBatch.itemsMax && added.last == false)
        // Each has a comma.
        var large = ImportBatch([item(ImportBatch.bytesMax - 101)])
        let fits = [100, 99, 0].map { large.add(item($0)) }
        #expect(fits == [false, true, false])
        #expect(
            !ImportBatch.isTooLarge(item(ImportBatch.bytesMax - 1))
                && ImportBatch.isTooLarge(item(ImportBatch.bytesMax))
        )
    }

    @Test func `an export is what the options name`() throws {
        let daemon = try ScriptedDaemon(
            at: directory.file("socket"),
            [.libraryList: #"{"items":[],"total":0,"next":null}"#]
        )
        let words = ["library", "export", "-q", "ㄱㅇ", "-k", "book,web", "-s", "kakao", "--tag", "a,b"]
        _ = Run(words, in: directory, socket: daemon.path)
        #expect(
            daemon.params(of: .libraryList) == [
                #"{"query":"ㄱㅇ","kinds":["book","web"],"sources":["kakao"],"tags":["a,b"],"sort":"saved","offset":0,"limit":1}"#
            ]
        )
    }

    @Test func `many items go in requests of at most a thousand, none longer than a line of the wire`() throws {
        let library = try library()
        let lines = (0..<2100).map { String(decoding: FakeLibrary.item("\($0)").bytes, as: UTF8.self) }
        _ = run(library, "import", "-", input: lines.joined(separator: "\n"))
        #expect(library.saves == [1000, 1000, 100] && library.items.count == 2100)
        let long = String(repeating: "x", count: 300 << 10)
        let large = (0..<7).map { String(decoding: FakeLibrary.item("large\($0)", title: long).bytes, as: UTF8.self) }
        let imported = run(library, "import", "-", input: large.joined(separator: "\n"))
        #expect(imported.output == "7 items imported\n")
        #expect(library.saves.suffix(3) == [3, 3, 1] && library.lineBytesMax <= 1 << 20)
    }

    @Test func `a wrong item is left alone, with its line and the daemon's reason, and the others are taken`() throws {
        let library = try library()
        let wrong = #"{"id":"a.b:x","source":"a.b","kind":"book"}"#
        let lines = (1...50).map { number in
            [7, 8, 31].contains(number) ? wrong : String(decoding: FakeLibrary.item("\(number)").bytes, as: UTF8.self)
        }
        let imported = run(library, "import", "-", input: lines.joined(separator: "\n") + "\n[]\n")
        #expect(imported.status == .found && imported.output == "47 items imported; 4 left out\n")
        #expect(
            imported.errors
                == [7, 8, 31, 51].map { line in
                    "line \(line) is left out: \(line == 51 ? "it is not a JSON object" : "A hit has a title.")\n"
                }.joined()
        )
        #expect(library.items.count == 47)
        let right = String(decoding: FakeLibrary.item("1").bytes, as: UTF8.self)
        #expect(run(library, "import", "-", input: right).output == "1 item imported, which was saved before\n")
        let json = run(library, "import", "-", "--json", input: wrong)
        #expect(json.status == .nothingFound)
        #expect(
            json.output == #"{"taken":0,"added":0,"left":1,"reasons":[{"line":1,"reason":"A hit has a title."}]}"#
                + "\n"
        )
    }

    @Test func `the reason of an item that is left out names its member`() throws {
        let refusal = ScriptedDaemon.failure(
            "invalidParams",
            "A rating is a number from 1 to 5.",
            code: -32602,
            path: "params.items[0].notes[0].rating"
        )
        let daemon = try ScriptedDaemon(at: directory.file("socket"), [.librarySave: refusal])
        let imported = Run("library", "import", "-", in: directory, socket: daemon.path, input: #"{"id":"a.b:1"}"#)
        #expect(
            imported.errors == "line 1 is left out: notes[0].rating: a rating is a number from 1 to 5.\n"
        )
    }

    @Test func `of many that are left out the first are named`() throws {
        let imported = run(try library(), "import", "-", input: "{}\n" + String(repeating: "3\n", count: 29))
        #expect(imported.output == "0 items imported; 30 left out\n" && imported.status == .nothingFound)
        let lines = imported.errors.split(separator: "\n")
        #expect(lines.count == ImportTally.namedMax + 1 && lines.last == "and 10 more")
    }

    @Test func `when the daemon fails, what was taken until then is told`() throws {
        let seen = Seen()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                seen.add(line)
                try connection.send(
                    seen.lines.count == 1
                        ? #"{"jsonrpc":"2.0","id":1,"result":{"items":[],"added":1000,"revision":1}}"#
                        : #"{"jsonrpc":"2.0","id":1,"error":{"code":-32008,"message":"A library holds at most 250000 items.","data":{"kind":"overloaded"}}}"#
                )
            }
        }
        let lines = (0..<1001).map { String(decoding: FakeLibrary.item("\($0)").bytes, as: UTF8.self) }
        let imported = Run(
            "library",
            "import",
            "-",
            in: directory,
            socket: daemon.path,
            input: lines.joined(separator: "\n")
        )
        #expect(imported.status == .tryLater && imported.output == "1,000 items imported\n")
        #expect(imported.errors == "searchctl: A library holds at most 250000 items.\n")
    }

    @Test func `a file that can't be read is named`() throws {
        let library = try library()
        let missing = run(library, "import", "/nonexistent/file")
        #expect(missing.status == .usage && missing.errors.contains("/nonexistent/file: No such file"))
        #expect(run(library, "import", directory.path).errors.contains("is a directory"))
        let none = run(library, "import")
        #expect(none.status == .usage && none.errors.contains("searchctl library import FILE, or “-”"))
        #expect(run(library, "import", "-").errors.contains("the file is empty"))
    }

    @Test func `Ctrl-C ends an import that waits for its file`() throws {
        let (interrupt, input) = (Pipe(), Pipe())
        interrupt.signal()
        let library = try library()
        var console = Console()
        console.input = input.reading
        console.interrupt = interrupt.reading
        let context = Context(console: console, environment: Environment([:]))
        #expect(Searchctl.run(["--socket", library.path, "library", "import", "-"], context) == .interrupted)
    }
}
