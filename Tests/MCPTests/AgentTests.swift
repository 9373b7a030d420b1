import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import MCP

@Suite struct AgentRequestTests {
    private func request(
        _ meta: String,
        _ method: AgentMethodName = .callTool,
        in session: AgentSession? = nil
    ) throws -> AgentRequest {
        let text = "{\"_meta\":{\(meta.replacingOccurrences)}}"
        return try AgentRequest(try JSONDocument(Array(text.utf8)).root, of: method, in: session)
    }

    private func session(_ version: String, _ client: String = #""name":"c","version":"1""#) throws -> AgentSession {
        let text = #"{"protocolVersion":"\#(version)","capabilities":{},"clientInfo":{\#(client)}}"#
        return try AgentSession(try JSONDocument(Array(text.utf8)).root)
    }

    @Test func `a request that names its revision needs no session, and is served by itself within one`() throws {
        let meta =
            #""KEYprotocolVersion":"2026-07-28","KEYclientCapabilities":{},"KEYclientInfo":{"name":"n","version":"1"}"#
        for session in [nil, try session("2025-11-25")] {
            let request = try request(meta + #","progressToken":7"#, in: session)
            #expect(request.revision == .july2026)
            #expect(request.client == "n")
            #expect(request.progressToken == Array("7".utf8))
        }
    }

    @Test(arguments: [
        (#""KEYprotocolVersion":"2026-07-28""#, -32602), (#""KEYclientCapabilities":{}"#, -32602), ("", -32602),
        (#""KEYprotocolVersion":7,"KEYclientCapabilities":{}"#, -32602),
        (#""KEYprotocolVersion":"2026-07-28","KEYclientCapabilities":[]"#, -32602),
        (#""KEYprotocolVersion":"1900-01-01","KEYclientCapabilities":{}"#, -32022),
        (#""KEYprotocolVersion":"2025-11-25","KEYclientCapabilities":{}"#, -32022),
    ])
    func `what a stateless request lacks is refused`(_ meta: String, _ code: Int) {
        let error = #expect(throws: AgentError.self) { try request(meta) }
        #expect(error?.code == code)
    }

    @Test func `a session is of the revision that is asked for, or of the latest that has them`() throws {
        for revision in Revision.allCases where !revision.isStateless {
            #expect(try session(revision.rawValue).revision == revision)
        }
        for other in ["2026-07-28", "1900-01-01", "x", ""] { #expect(try session(other).revision == .november2025) }
        #expect(try request("", in: session("2025-03-26")).revision == .march2025)
        #expect(try session("2025-03-26", #""name":"","version":"1""#).client == nil)
        #expect(throws: AgentError.self) { try AgentSession(nil) }
    }

    @Test func `a progress token is a string or a number, as it was written`() throws {
        let session = try session("2025-11-25")
        for token in [#""a\u0062""#, "1.5", "-3"] {
            #expect(try request(#""progressToken":\#(token)"#, in: session).progressToken == Array(token.utf8))
        }
        for token in ["null", "{}", "true", "\"" + String(repeating: "a", count: 1024) + "\""] {
            #expect(try request(#""progressToken":\#(token)"#, in: session).progressToken == nil)
        }
    }

    @Test func `a ping needs neither`() throws {
        #expect(try request("", .ping).revision == .november2025)
    }
}

extension String {
    /// With the prefix of the protocol's own members written out.
    fileprivate var replacingOccurrences: String {
        split(separator: "KEY", omittingEmptySubsequences: false).joined(separator: "io.modelcontextprotocol/")
    }
}

@Suite struct AgentTextTests {
    @Test(arguments: Injection.all)
    func `of every injection comes out what is said here`(_ injection: Injection) {
        #expect(Array(AgentText.cleaned(injection.text).utf8) == Array(injection.expected.utf8))
    }

    @Test func `there are many of them, each once`() {
        #expect(Injection.all.count >= 150)
        #expect(Set(Injection.all.map { Array($0.text.utf8) }).count == Injection.all.count)
    }

    @Test(arguments: Injection.all)
    func `what has been cleaned stays as it is`(_ injection: Injection) {
        let cleaned = AgentText.cleaned(injection.text)
        #expect(Self.problems(cleaned) == [])
        #expect(Self.problems(AgentText.cleaned(cleaned)) == [])
    }

    @Test func `a run of letters is a word up to the limit`() {
        let fits = String(repeating: "A", count: AgentText.wordScalarsMax - 1)
        #expect(AgentText.cleaned(fits) == fits)
        #expect(AgentText.cleaned(fits + "A") == "(64 characters left out)")
        let korean = String(repeating: "가", count: 200)
        #expect(AgentText.cleaned(korean) == korean)
        let address = "https://a.example/" + String(repeating: "a", count: 100)
        #expect(AgentText.cleaned(address) == address)
    }

    @Test func `a text is cut behind its limit, between words`() {
        let words = Array(repeating: "word", count: AgentText.scalarsMax)
        let cleaned = AgentText.cleaned(words.joined(separator: " "))
        #expect(cleaned.hasSuffix("word (the rest is left out)"))
        #expect(cleaned.unicodeScalars.count <= AgentText.scalarsMax + 30)
    }

    @Test func `whatever is in a text, nothing of it renders, hides or ends anything`() {
        var random = SeededGenerator(seed: testSeed())
        let pieces = Injection.all.map(\.text) + ["\n", "\u{1B}", "<", "&", "lt;", "_", "data:", "\u{301}", "고", "a "]
        for _ in 0..<testEvents(3000) {
            var text = ""
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)].unicodeScalars
                let count = Int.random(in: 0...piece.count, using: &random)
                text.unicodeScalars.append(contentsOf: piece.prefix(count))
                if Bool.random(using: &random) {
                    let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
                    text.unicodeScalars.append(scalar ?? " ")
                }
            }
            let cleaned = AgentText.cleaned(text)
            #expect(Self.problems(cleaned) == [], "\(text.debugDescription)")
            let quoted = QuotedText.lines(.object([JSONMember("title", .string(cleaned))]))
            #expect(quoted.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
            #expect(quoted.utf8.starts(with: "> title: ".utf8))
        }
    }

    @Test func `the time grows with the text`() throws {
        for piece in ["a\u{301}", "\u{1B}]", "data:", "&lt", "_a", "\u{200B}", "javascript："] {
            let isLinear = try Growth.isLinear(upTo: 200_000) { size in
                let text = String(repeating: piece, count: size / piece.utf8.count)
                return { _ = AgentText.cleaned(text) }
            }
            #expect(isLinear, "\(piece.debugDescription)")
        }
    }

    /// What a cleaned text may not hold; written without the code that cleans.
    private static func problems(_ text: String) -> [String] {
        text.unicodeScalars.filter { scalar in
            let properties = scalar.properties
            switch properties.generalCategory {
            case .control, .format, .privateUse, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator:
                return true
            default: break
            }
            return properties.isDefaultIgnorableCodePoint || "<>[]`*~\\⟦⟧＜＞［］｀".unicodeScalars.contains(scalar)
        }.map { "U+\(String($0.value, radix: 16))" }
            + ["javascript:a", " data:a", " file:/", "&lt;", "![", "](", "\n"].filter {
                (" " + text).lowercased().contains($0)
            }
    }
}

@Suite struct AgentViewTests {
    private func view(_ text: String, _ schema: Schema, leavingOut members: [Member] = []) throws -> JSONValue? {
        AgentView(leavingOut: members).value(try JSONDocument(Array(text.utf8)).root, schema)
    }

    @Test func `what is left out is gone at every depth, from values as from schemas`() throws {
        let hit = #"{"id":"a.b:1","source":"a.b","kind":"book","title":"<b>T","rank":3,"marks":{"title":[[0,1]]}}"#
        let schema = Schema.object([.required(.hits, .list(.component(.hit))), .required(.elapsed, .number)])
        let members: [Member] = [.rank, .marks, .elapsed]
        let value = try view("{\"hits\":[\(hit)],\"elapsed\":1.5}", schema, leavingOut: members)
        #expect(value == ["hits": [["id": "a.b:1", "source": "a.b", "kind": "book", "title": "‹b›T"]]])
        let document = schema.document(leavingOut: members)
        #expect(document["required"] == ["hits"])
        #expect(document["properties"]?["hits"]?["items"]?["$ref"] == "#/$defs/hit")
        let properties = document["$defs"]?["hit"]?["properties"]
        #expect(properties?["title"] != nil && properties?["rank"] == nil && properties?["marks"] == nil)
        #expect(document["$defs"]?["time"] != nil)
    }

    @Test func `a link that is none of the web is dropped, and one in a free member said so`() throws {
        let hit =
            #"{"url":"javascript:alert(1)","thumbnail":"data:image/png,x","extra":{"a":"file:///etc","b":["<i>",1]}}"#
        #expect(try view(hit, .component(.hit)) == ["extra": ["a": "(link left out)", "b": ["‹i›", 1]]])
    }

    @Test func `ids stay as they are, unless they hold what no id needs`() throws {
        #expect(
            try view(#"{"id":"a.b:x_y-z__","next":"0f-3"}"#, .object([.required(.id, .text)])) == ["id": "a.b:x_y-z__"]
        )
        #expect(try view(#"{"id":"a.b:<|im_end|>"}"#, .object([.required(.id, .text)])) == ["id": "a.b:‹|im_end|›"])
    }

    @Test func `free values are as wide and as deep as their limits, and their names are cleaned`() throws {
        let deep = String(repeating: #"{"a":"#, count: 9) + "1" + String(repeating: "}", count: 9)
        let value = try #require(try view(deep, .anything))
        #expect(
            String(decoding: value.bytes, as: UTF8.self) == String(repeating: #"{"a":"#, count: 7) + "{}"
                + String(repeating: "}", count: 7)
        )
        let wide = "{" + (0..<70).map { "\"m\($0)\":\($0)" }.joined(separator: ",") + "}"
        #expect(try view(wide, .anything)?.members?.count == 64)
        #expect(try view(#"{"<b>\n":1}"#, .map(.anything)) == ["‹b›": 1])
    }

    @Test func `null stays where it may stand`() throws {
        #expect(try view("null", .either(.text, .null)) == .null)
        #expect(try view(#""x<""#, .either(.text, .null)) == "x‹")
    }
}
