import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct SourcesCommandTests {
    private let directory = TemporaryDirectory()

    private func daemon(_ result: String = SourceEntries.list) throws -> FakeDaemon {
        try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                let request = try JSONDocument(Array(line.utf8)).root
                guard request[.method]?.word() == MethodName.sourceList else { return }
                try connection.send(#"{"jsonrpc":"2.0","id":\#(request[.id]?.int ?? 0),"result":\#(result)}"#)
            }
        }
    }

    @Test func `sources are a JSON object a line, exactly as the daemon wrote them`() throws {
        let daemon = try daemon()
        let run = Run("sources", "--json", in: directory, socket: daemon.path)
        #expect(run.status == .found)
        #expect(
            run.lines == [SourceEntries.book, SourceEntries.off, SourceEntries.failing, SourceEntries.invalid]
        )
        #expect(
            Run("sources", "--json", "google.books", in: directory, socket: daemon.path).lines == [SourceEntries.off]
        )
    }

    @Test func `sources are a table of accounts, and a name the details, in a pipe as on a terminal`() throws {
        let daemon = try daemon()
        let table = Run("sources", in: directory, socket: daemon.path)
        #expect(table.status == .found)
        #expect(
            table.lines.map { $0.prefix { $0 != " " } }.prefix(5) == [
                "ACCOUNT", "kakao", "google", "wikipedia", "demo",
            ]
        )
        #expect(table.lines[5] == "Profiles: @books, @web")
        #expect(table.lines[6].hasPrefix("4 sources, 2 enabled."))
        let details = Run("sources", "--plain", "kakao.book", in: directory, socket: daemon.path)
        #expect(details.lines.first == "kakao.book  Daum books")
        let terminal = Run("sources", in: directory, socket: daemon.path, isTerminal: true)
        #expect(terminal.output.contains("\u{1B}["))
        #expect(terminal.output.contains("ACCOUNT"))
    }

    @Test func `accounts, kinds, profiles and what is enabled choose`() throws {
        let profiles = #","profiles":[{"name":"@books","sources":["google.books","kakao.book"]}]}"#
        let daemon = try daemon(SourceEntries.list.dropLast() + profiles)
        func names(_ words: String...) -> [Substring] {
            Run(["sources"] + words, in: directory, socket: daemon.path).lines.dropFirst().map {
                $0.prefix { $0 != " " }
            }
        }
        #expect(names("kakao") == ["kakao.book"])
        #expect(names("@books") == ["kakao.book", "google.books"])
        #expect(names("-k", "book") == ["kakao.book", "google.books"])
        #expect(names("-k", "book", "--enabled") == ["kakao.book"])
        #expect(names("--enabled").prefix(2) == ["kakao", "wikipedia"])
        let wrong = Run("sources", "-k", "bok", in: directory, socket: daemon.path)
        #expect(wrong.status == .usage)
        #expect(wrong.errors == "searchctl: no source is of the kind “bok”. Did you mean “book”?\n")
        let profile = Run("sources", "@boks", in: directory, socket: daemon.path)
        #expect(profile.errors.contains("Did you mean “@books”?"))
    }

    @Test func `a name that is not there names the nearest`() throws {
        let daemon = try daemon()
        let near = Run("sources", "kakao.boko", in: directory, socket: daemon.path)
        #expect(near.status == .usage)
        #expect(near.errors == "searchctl: there is no source “kakao.boko”. Did you mean “kakao.book”?\n")
        #expect(Run("sources", "zzz", in: directory, socket: daemon.path).errors.contains("sources guide"))
    }

    @Test(arguments: ["{}", "[]", "{\"sources\":5}"]) func `an answer without sources is no answer`(result: String)
        throws
    {
        let daemon = try daemon(result)
        #expect(Run("sources", in: directory, socket: daemon.path).status == .defect)
    }

    @Test(arguments: [
        ["a.b", "c.d"], ["guide", "x"], ["check"], ["check", ""], ["a.b", "--try", "x"], ["--config", "/x"],
        ["guide", "--json"], ["check", "f", "--json"], ["check", "f", "--plain"], ["check", "f", "g"],
    ])
    func `what does not go together is wrong usage`(words: [String]) {
        let run = Self.run(["sources"] + words, in: directory)
        #expect(run.status == .usage)
        #expect(run.output.isEmpty && !run.errors.isEmpty)
    }

    private static func run(_ words: [String], in directory: TemporaryDirectory) -> Run {
        let rest = words + Array(repeating: "", count: max(0, 4 - words.count))
        return switch words.count {
        case 2: Run(rest[0], rest[1], in: directory, socket: "/nonexistent/socket")
        case 3: Run(rest[0], rest[1], rest[2], in: directory, socket: "/nonexistent/socket")
        default: Run(rest[0], rest[1], rest[2], rest[3], in: directory, socket: "/nonexistent/socket")
        }
    }

    @Test func `the guide needs no daemon, and has its example as it is`() {
        let run = Run("sources", "guide", in: directory, socket: "/nonexistent/socket")
        #expect(run.status == .found)
        #expect(run.output == SourceGuide.text)
        #expect(run.output.contains(SourceGuide.example))
    }

    @Test(arguments: [60, 80, 120, 200]) func `the guide fits the terminal, and its code 80 columns`(columns: Int) {
        let code = Set(SourceGuide.text.split(separator: "\n").map(String.init))
        for line in SourceGuide.text(columns: columns).split(separator: "\n").map(String.init) {
            #expect(Layout.width(line) <= columns || (code.contains(line) && Layout.width(line) <= 80), "\(line)")
            #expect(line.last != " ", "\(line)")
        }
        let words = SourceGuide.text(columns: columns).split(whereSeparator: \.isWhitespace)
        #expect(words == SourceGuide.text.split(whereSeparator: \.isWhitespace))
    }

    @Test func `a check is handed to the daemon's program`() throws {
        func words(_ line: [String]) throws -> [String] {
            guard case .run(_, let arguments) = try CommandLineParser.parse(line, commands: CommandTable.commands)
            else {
                return []
            }
            return try SourceCheckCommand.words(arguments)
        }
        #expect(try words(["sources", "check", "a.json5"]) == ["--check-source", "a.json5"])
        #expect(
            try words(["sources", "check", "--try", "soup", "--config", "/c", "--", "-a.json5"]) == [
                "--check-source", "-a.json5", "--try", "soup", "--config", "/c",
            ]
        )
        let run = Run("sources", "check", "a.json5", in: directory, daemonProgram: "/nonexistent/searchd")
        #expect(run.status == .noDaemon)
        #expect(run.errors.contains("/nonexistent/searchd"))
    }
}
