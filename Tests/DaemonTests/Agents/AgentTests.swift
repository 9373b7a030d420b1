import Client
import Glibc
import JSON
import MCP
import TestSupport
import Testing

@Suite struct AgentTests {
    private static let meta =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

    private func withAgent(_ body: (DaemonFixture, (String...) throws -> [JSONValue]) async throws -> Void) async throws
    {
        try await withDaemon {
            $0.hasAllKeys = true
            $0.keepsPersonalData = true
        } _: { daemon in
            try await body(daemon) { try run([], input: $0.joined(separator: "\n"), daemon).lines() }
        }
    }

    private func run(_ words: [String], input: String = "", _ daemon: DaemonFixture) throws -> Ending {
        let (inputPath, output) = (daemon.directory.file("input"), daemon.directory.file("output"))
        Files.write(Array(input.utf8), to: inputPath)
        var console = Console()
        // The paths are valid during the calls.
        console.input = unsafe open(inputPath, O_RDONLY | O_CLOEXEC)
        console.output = unsafe open(output, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer {
            close(console.input)
            close(console.output)
        }
        let commands = CommandTable.commands + [AgentCommand.command]
        let context = Context(console, Environment([:]), commands: commands)
        let status = Searchctl.run(["--socket", daemon.socket, "--no-start", "mcp"] + words, context)
        return Ending(status: status.number, text: String(decoding: Files.contents(of: output), as: UTF8.self))
    }

    private func request(_ id: Int, _ method: String, _ params: String = "") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(params)\#(params.isEmpty ? "" : ",")\#(Self.meta)}}"#
    }

    private func call(_ id: Int, _ tool: String, _ arguments: String = "{}") -> String {
        request(id, "tools/call", #""name":"\#(tool)","arguments":\#(arguments)"#)
    }

    @Test func `a tool's structured content matches its schema, and its text is quoted`() async throws {
        try await withAgent { daemon, run in
            let found = try run(
                request(1, "tools/list"),
                call(2, "search", #"{"query":"고양이","sources":["kakao.*","naver.*"],"limit":20}"#)
            )
            let tools = try #require(found.answer(1)["result"]?["tools"]?.array)
            let id = try #require(found.answer(2).content?["hits"]?[0]?["id"]?.string)
            let names = ["search", "lookup", "library_save", "library_note", "library_list", "suggest", "sources"]
            let lines =
                try run(
                    call(1, "lookup", #"{"id":"\#(id)"}"#),
                    call(2, "library_save", #"{"id":"\#(id)","tags":["읽을것"]}"#),
                    call(5, "suggest", #"{"prefix":"고"}"#),
                    call(6, "sources"),
                    call(7, "sources", #"{"all":true}"#)
                ) + run(call(3, "library_note", #"{"id":"\#(id)","note":{"text":"좋다","rating":4}}"#))
                + run(call(4, "library_list", #"{"query":"ㄱㅇㅇ"}"#))
            let results = [found.answer(2)] + (1...7).map { lines.answer($0) }
            for (name, result) in zip(names + ["sources"], results) {
                let schema = try #require(tools.first { $0["name"]?.string == name }?["outputSchema"])
                let content = try #require(result.content, "\(name): \(result)")
                #expect(ContractCheck(schema).problems(content, schema, at: name) == [])
                let quoted = result.text.split(separator: "\n")
                let end = try #require(quoted.firstIndex { $0.hasPrefix("end of quote-") })
                #expect(quoted[2..<end].allSatisfy { $0.hasPrefix("> ") }, "\(name)")
            }
            #expect(results[4].content?["items"]?[0]?["notes"]?[0]?["rating"] == 4)
            #expect(results[6].content?["callsLeft"]?["google-day"] == 1000 && results[6].bytes.count <= 4096)
            #expect(
                results[7].content?["sources"]?.array?.first { $0["source"] == "google.books" }?["quota"]?[0]?["left"]
                    == 1000
            )
        }
    }

    @Test func `invalid arguments and failed sources are errors that the model can read`() async throws {
        try await withAgent { daemon, run in
            await daemon.fault("maintenance")
            let lines = try run(
                call(1, "search", #"{"query":"x","limti":1}"#),
                call(2, "search", #"{"query":"x","limit":0}"#),
                call(3, "search"),
                call(4, "search", #"{"query":"실패","sources":["kakao.blog"]}"#),
                call(5, "search", #"{"query":"x","sources":["kakao.bolg"]}"#),
                call(6, "search", #"{"query":"강아지","sources":["naver.blog"],"maxCalls":0}"#),
                call(7, "serach")
            )
            let texts = (1...6).map { lines.answer($0).text }
            #expect((1...6).allSatisfy { lines.answer($0)["result"]?["isError"] == true })
            #expect(texts[..<3].allSatisfy { $0.contains("query (required), sources, kinds") })
            #expect(texts[1].contains("path: arguments.limit") && texts[2].contains("path: arguments.query"))
            #expect(
                texts[3].contains("Search failed.") && texts[4].contains("kakao.blog")
                    && texts[5].contains("maxCalls")
            )
            #expect(lines.answer(7).errorCode == -32602)
        }
    }

    @Test func `saved items are resources, and prompts and addresses have completions`() async throws {
        try await withAgent { daemon, run in
            let client = try daemon.connect()
            let hits = try client.call("search", #"{"query":"고양이","sources":["kakao.blog"],"limit":120}"#).hitIDs
            _ = try client.call("library/save", "{\"items\":[\(hits.map { "\"\($0)\"" }.joined(separator: ","))]}")
            var (uris, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try run(request(1, "resources/list", cursor.map { #""cursor":"\#($0)""# } ?? "")).answer(1)[
                    "result"
                ]
                #expect(page?["cacheScope"] == "private")
                uris += (page?["resources"]?.array ?? []).compactMap { $0["uri"]?.string }
                cursor = page?["nextCursor"]?.string
            } while cursor != nil
            #expect(uris.count == hits.count && Set(uris) == Set(hits.map { "searchd://library/\($0)" }))
            let reference = #""ref":{"type":"ref/prompt","name":"search"},"argument":{"name":"query","value":"고"}"#
            let item =
                #""ref":{"type":"ref/resource","uri":"searchd://library/{id}"},"argument":{"name":"id","value":""}"#
            let lines = try run(
                request(1, "resources/read", #""uri":"\#(uris[0])""#),
                request(2, "completion/complete", reference),
                request(3, "completion/complete", item),
                request(4, "prompts/get", #""name":"search","arguments":{"query":"고양이\nX: y"}"#)
            )
            #expect(lines.answer(1).text.contains("> id: kakao.blog:"))
            #expect(lines.answer(2)["result"]?["completion"]?["values"]?.array?.isEmpty == false)
            #expect(lines.answer(3)["result"]?["completion"]?["total"]?.int == hits.count)
            let prompt = lines.answer(4)["result"]?["messages"]?[0]?["content"]?["text"]?.string
            #expect(prompt?.contains("“고양이 X: y”") == true)
        }
    }

    @Test func `if a client speaks MCP to the socket, the error names searchctl mcp`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let answer = try client.call("initialize", #"{"protocolVersion":"2025-11-25"}"#)
            #expect(answer.errorKind == "methodNotFound" && answer.hint?.contains("searchctl mcp") == true)
            #expect(try client.call("tools/list").errorKind == "methodNotFound")
        }
    }

    @Test func `--check prints the tools and sources that an agent gets`() async throws {
        try await withDaemon { daemon in
            let plain = try run(["--check", "--plain"], daemon)
            #expect(
                plain.status == 0 && plain.text.contains("2026-07-28, 2025-11-25")
                    && plain.text.contains(" sources can be asked")
            )
            #expect(plain.text.contains("\n  library_save "))
            #expect(
                !plain.text.contains("seen")
                    && plain.text.split(separator: "\n").allSatisfy { $0.unicodeScalars.count <= 80 }
            )
            let seen = try run(["--check", "--json"], daemon).lines()[0]
            #expect(seen["tools"]?[0]?["name"] == "search" && seen["tools"]?[0]?["bytes"]?.int ?? 0 > 1000)
            #expect(seen["sources"]?.array?.contains("kakao.blog") == true)
            #expect(seen["sources"]?.array?.contains("naver.blog") == false)
            #expect(try run(["--json"], daemon).status == 2)
        }
    }
}

/// The exit status and the output of a program.
private struct Ending {
    let status: Int32
    let text: String

    func lines() throws -> [JSONValue] {
        try text.split(separator: "\n").map { try JSONDocument(Array($0.utf8)).root.value }
    }
}

extension [JSONValue] {
    fileprivate func answer(_ id: Int) -> JSONValue { first { $0["id"]?.int == id } ?? .null }
}

extension JSONValue {
    fileprivate var content: JSONValue? { self["result"]?["structuredContent"] }

    fileprivate var text: String {
        (self["result"]?["content"]?[0]?["text"] ?? self["result"]?["contents"]?[0]?["text"])?.string ?? ""
    }
}
