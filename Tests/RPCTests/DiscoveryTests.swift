import JSON
import RPC
import Testing

struct DiscoveryTests {
    private let document = Discovery.document(
        version: "1.2.3",
        methods: [
            MethodDescription(
                "search",
                summary: "Finds.",
                parameters: [.init("query", required: true, ["type": "string"]), .init("limit", ["type": "integer"])],
                result: [.init("hits", required: true, ["type": "array"]), .init("next", ["type": "string"])],
                errors: ["unknownSource", "rateLimited"]
            ),
            MethodDescription("server/ping", summary: "Answers.", result: []),
        ]
    )

    @Test func `the document is OpenRPC of this version`() {
        #expect(document["openrpc"]?.string == "1.3.2")
        #expect(document["info"]?["title"]?.string == "searchd")
        #expect(document["info"]?["version"]?.string == "1.2.3")
        #expect(document["methods"]?.array?.compactMap { $0["name"]?.string } == ["search", "server/ping"])
    }

    @Test func `a method says what it takes, gives and fails with`() throws {
        let search = try #require(document["methods"]?[0])
        #expect(search["summary"]?.string == "Finds.")
        #expect(search["paramStructure"]?.string == "by-name")
        #expect(
            search["params"] == [
                ["name": "query", "required": true, "schema": ["type": "string"]],
                ["name": "limit", "required": false, "schema": ["type": "integer"]],
            ]
        )
        #expect(
            search["result"]?["schema"] == [
                "type": "object",
                "properties": ["hits": ["type": "array"], "next": ["type": "string"]],
                "required": ["hits"],
            ]
        )
        #expect(
            search["errors"] == [
                ["code": -32001, "message": "unknownSource"], ["code": -32003, "message": "rateLimited"],
            ]
        )
    }

    @Test func `a method without parameters has an empty list of them`() {
        #expect(document["methods"]?[1]?["params"] == [])
        #expect(document["methods"]?[1]?["errors"] == [])
    }

    @Test func `the document can be written and read`() throws {
        var writer = JSONWriter()
        writer.value(document)
        #expect(try JSONDocument(writer.bytes).root.value == document)
    }
}
