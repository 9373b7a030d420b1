import JSON
import RPC
import SearchModel
import Testing

@testable import Client

struct CommandLineSearchTests {
    private func parameters(_ line: String, isOnTerminal: Bool = true) throws -> CommandLineSearch {
        let request = try CommandLineParser.parse(
            ["search"] + line.split(separator: " ").map(String.init),
            commands: CommandTable.commands
        )
        guard case .run(_, let arguments) = request else { throw ClientError(.usage, "not a command") }
        let zone = LocalZone.fixed(hours: 0)
        return try CommandLineSearch(arguments, now: 1_710_000_000, zone: zone, isOnTerminal: isOnTerminal)
    }

    private func json(_ parameters: CommandLineSearch) throws -> JSONValue {
        try JSONDocument(parameters.json()).root.value
    }

    @Test func `options that are not given are not sent`() throws {
        #expect(try json(parameters("고양이 사료")) == ["query": "고양이 사료", "stream": true])
    }

    @Test func `every option is sent as its parameter`() throws {
        let parameters = try parameters(
            "x -s a.b,c.* -s d.e -k blog --sort title -n 5 --page 5 --max-age 10m --offline --timeout 500ms --raw --explain --private"
        )
        #expect(
            try json(parameters) == [
                "query": "x", "sources": ["a.b", "c.*", "d.e"], "kinds": ["blog"], "sort": "title", "offset": 20,
                "limit": 5, "stream": true, "raw": true, "maxAge": 600, "offline": true, "timeout": 500,
                "private": true, "explain": true,
            ]
        )
    }

    @Test func `a search with --no-history or in a pipe is not recorded`() throws {
        #expect(try json(parameters("x --no-history")) == ["query": "x", "stream": true, "history": false])
        #expect(try json(parameters("x", isOnTerminal: false)) == ["query": "x", "stream": true, "history": false])
        #expect(try json(parameters("x --private", isOnTerminal: false))["history"] == nil)
        #expect(try json(parameters("x --typing", isOnTerminal: false))["history"] == nil)
    }

    @Test func `a page number is sent as an offset and a limit`() throws {
        #expect(try json(parameters("x --page 3")) == ["query": "x", "offset": 20, "limit": 10, "stream": true])
        #expect(
            try json(parameters("x --page 3 -n 7"))
                == ["query": "x", "offset": 14, "limit": 7, "stream": true]
        )
        #expect(try json(parameters("x --page 1")) == ["query": "x", "stream": true])
    }

    @Test func `if the terminal has few lines, the limit is smaller, also for “again”`() throws {
        func search(_ rows: Int?) throws -> CommandLineSearch {
            let arguments = Arguments(words: ["x"])
            let zone = LocalZone.fixed(hours: 0)
            return try CommandLineSearch(arguments, now: 1_710_000_000, zone: zone, isOnTerminal: true, rows: rows)
        }
        #expect(try [nil, 60, 26, 24, 4].map { try search($0).limit } == [10, 10, 10, 9, 5])
        #expect(try json(search(24))["limit"] == 9)
        #expect(try search(24).arguments.number(.limit) == 9)
        #expect(try search(60).arguments.number(.limit) == nil)
    }

    @Test func `--fresh sends “maxAge” 0`() throws {
        #expect(try json(parameters("x --fresh")) == ["query": "x", "stream": true, "maxAge": 0])
    }

    @Test func `-o options are sent as JSON grouped by source, and the last value of an option is used`() throws {
        let parameters = try parameters(
            #"x -o naver.image.filter=large -o a.b.n=1 -o a.b.on=true -o a.b.t="7" -o a.b.n=2 -o a.b.eq=x=y -o a.b.none="#
        )
        let options = try #require(try json(parameters)[.options])
        #expect(options["naver.image"]?["filter"] == "large")
        #expect(options["a.b"]?["n"] == 2)
        #expect(options["a.b"]?["on"] == true)
        #expect(options["a.b"]?["t"] == "7")
        #expect(options["a.b"]?["eq"] == "x=y")
        #expect(options["a.b"]?["none"] == "")
        #expect(options["a.b"]?.members?.count == 5)
    }

    @Test(arguments: [
        ["  "], ["x", "--fresh", "--max-age", "1m"],
        ["x", "--fresh", "--offline"], ["x", "--all", "--page", "2"], ["x", "--all", "-n", "5"],
        ["x", "--since", "2024-02-30"], ["x", "--since", "tomorrow"], ["x", "--since", "2024", "--until", "2023"],
        ["x", "-o", "filter=large"], ["x", "-o", "a.b"], ["x", "-o", ".b=1"], ["x", "-o", "a.=1"],
    ])
    func `an empty query, invalid values and contradictory options are refused`(words: [String]) throws {
        let request = try CommandLineParser.parse(["search"] + words, commands: CommandTable.commands)
        guard case .run(_, let arguments) = request else { throw ClientError(.usage, "not a command") }
        #expect(throws: ClientError.self) {
            try CommandLineSearch(arguments, now: 1_710_000_000, zone: .fixed(hours: 0), isOnTerminal: true)
        }
    }

    @Test(arguments: [
        (
            "--page 10001", ["--page", "10002"],
            "--page 10002 is past the first 5,000 hits"
        ),
        (
            "--page 101 -n 1000", ["--page", "102", "-n", "1000"],
            "--page 102 is past the first 5,000 hits"
        ),
        (
            "--page 100001 -n 1", ["--page", "100002", "-n", "1"],
            "--page 100002 is past the first 5,000 hits"
        ),
        ("--page 1", ["--page", "0"], "--page takes a number from 1, not “0”"),
        ("--page 1", ["--page", "\(Int.max)"], "--page \(Int.max) is past the first 5,000 hits"),
        ("--page 1 -s a.b", ["-s", "a.b", "--page", "10002"], "--page 10002 is past the first 100,000 hits"),
        ("--timeout 1ms", ["--timeout", "0"], "--timeout takes a time from 1ms to 2m, not “0”"),
        ("--timeout 120s", ["--timeout", "120.001s"], "--timeout takes a time from 1ms to 2m, not “120.001s”"),
        ("--max-age 365d", ["--max-age", "366d"], "--max-age takes a time of at most 365d, not “366d”"),
        ("--max-age 0", ["--max-age", "soon"], "--max-age takes a time of at most 365d, not “soon”"),
        (
            "", [String(repeating: "x", count: 1998)],
            "the query has 2,000 bytes, and at most 1,024 are allowed"
        ),
    ])
    func `searchctl refuses values that the daemon would refuse, and the error names the option`(
        right: String,
        wrong: [String],
        message: String
    ) throws {
        _ = try parameters("x " + right)
        do {
            _ = try parameters("x " + wrong.joined(separator: " "))
            Issue.record("expected an error")
        } catch let error as ClientError {
            #expect(error.code == .usage)
            #expect(error.message.hasPrefix(message))
        }
    }

    @Test func `with --since, the default order is recency`() throws {
        #expect(try json(parameters("x --since 7d"))[.sort] == "recency")
        #expect(try json(parameters("x --since 7d --sort title"))[.sort] == "title")
    }

    @Test func `date bounds are sent in local time, to the second`() throws {
        let filter = try json(parameters("x --since 2024-03 --until 2024-03-09"))[.filter]
        #expect(filter == ["since": "2024-03-01T00:00:00Z", "until": "2024-03-09T23:59:59Z"])
        #expect(try json(parameters("x --until 9999"))[.filter]?[.until]?.string?.hasPrefix("9999-12-3") == true)
        #expect(try json(parameters("x --site a.org --has author"))[.filter] == ["site": "a.org", "has": ["author"]])
    }

    @Test func `--typing sends a channel and a debounce time, and requests no stream`() throws {
        let expected: JSONValue = ["query": "고양ㅇ", "channel": "typing", "debounce": 300]
        #expect(try json(parameters("고양ㅇ --typing")) == expected)
        #expect(throws: ClientError.self) { try parameters("x --typing --all") }
    }

    @Test func `with --until, the default order is recency, except for dates more than a month ago`() throws {
        #expect(try json(parameters("x --until 2024-02-07"))[.sort] == "recency")
        #expect(try json(parameters("x --until 2024-02-06"))[.sort] == nil)
        #expect(try json(parameters("x --since 2023 --until 2023 --sort recency"))[.sort] == "recency")
    }

    @Test(arguments: [
        ("x", 2), ("x --page 3", 4), ("x --private", nil), ("x --all", nil),
        ("x --since 7d -n 5 --page 2", 3), ("x --until 2023 --sort title", 2),
    ])
    func `the next page can be requested by number, except with --private or --all`(line: String, page: Int?) throws {
        #expect(try parameters(line).nextPage == page)
    }

    @Test func `the request for a page has “offline” if asked to, and “wait” unless --all is given`() throws {
        let enough = CommandLineSearch.PageRequest(waitsForEnough: true)
        #expect(try JSONDocument(parameters("x").json(enough)).root[.wait]?.string == "enough")
        #expect(try JSONDocument(parameters("x --all").json(enough)).root[.wait] == nil)
        #expect(try JSONDocument(parameters("x").json(.init(isOffline: true))).root[.offline]?.bool == true)
    }
}

struct OptionWordsTests {
    private func translated(_ message: String) throws -> ClientError {
        var error = ClientError(.init(.invalidParams), message, hint: "the daemon's")
        error.path = String(message.prefix { $0 != ":" })
        return OptionWords.translate(error, query: "")
    }

    @Test(arguments: [
        (
            "params.query: the query is empty, or longer than 1024 bytes",
            "the query is empty, or longer than 1024 bytes"
        ),
        ("params.kinds[0]: unknown kind", "--kind: unknown kind"),
        ("params.sources: \"sources\" is not a list of names", "--source: it is not a list of names"),
        ("params.maxAge: \"maxAge\" is not a number", "--max-age: it is not a number"),
        ("params.options.naver.image: that source is not asked", "--option naver.image: that source is not asked"),
        ("params.options.a.b.c: not one of 1, 2", "--option a.b.c: not one of 1, 2"),
        ("params.private: no", "--private: no"),
        ("no params. at all", "no params. at all"),
    ])
    func `an error about a parameter is printed with the name of the option`(message: String, said: String) throws {
        let error = try translated(message)
        #expect(error.message == said)
        #expect(error.hint == "the daemon's")
        #expect(error.code == .init(.invalidParams))
    }

    @Test func `an error about an offset names --page and suggests --all`() throws {
        let message = "params.offset: the maximum offset of a merged or sorted list is 5000"
        let offset = try translated(message)
        #expect(offset.message == "--page: the maximum offset of a merged or sorted list is 5000")
        #expect(offset.hint?.contains("--all") == true)
    }
}
