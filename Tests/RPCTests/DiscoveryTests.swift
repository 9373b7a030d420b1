import JSON
import RPC
import SearchModel
import Testing

struct DiscoveryTests {
    private let document = Discovery.document(
        version: "1.2.3",
        methods: [
            MethodDescription(
                .search,
                summary: "Finds.",
                parameters: [
                    .required(.query, .text, "What is sought."), .optional(.limit, .integer(1...10), default: 5),
                ],
                result: [.required(.hits, .list(.component(.hit))), .optional(.next, .either(.text, .null))],
                errors: [.unknownSource, .rateLimited]
            ),
            MethodDescription(.ping, summary: "Answers.", result: []),
        ]
    )

    @Test func `the document has the versions of OpenRPC and of the daemon`() {
        #expect(document["openrpc"]?.string == "1.3.2")
        #expect(document["info"]?["title"]?.string == "searchd")
        #expect(document["info"]?["version"]?.string == "1.2.3")
        #expect(document["methods"]?.array?.compactMap { $0["name"]?.string } == ["search", "server/ping"])
    }

    @Test func `a method has its parameters, result and errors`() throws {
        let search = try #require(document["methods"]?[0])
        #expect(search["summary"]?.string == "Finds.")
        #expect(search["paramStructure"]?.string == "by-name")
        #expect(
            search["params"] == [
                [
                    "name": "query", "required": true,
                    "schema": ["type": "string", "description": "What is sought."],
                ],
                [
                    "name": "limit", "required": false,
                    "schema": ["type": "integer", "minimum": 1, "maximum": 10, "default": 5],
                ],
            ]
        )
        #expect(
            search["result"]?["schema"] == [
                "type": "object",
                "properties": [
                    "hits": ["type": "array", "items": ["$ref": "#/components/schemas/hit"]],
                    "next": ["anyOf": [["type": "string"], ["type": "null"]]],
                ],
                "required": ["hits"],
                "additionalProperties": false,
            ]
        )
        #expect(
            search["errors"] == [
                ["$ref": "#/components/errors/unknownSource"], ["$ref": "#/components/errors/rateLimited"],
            ]
        )
    }

    @Test func `a method without parameters has an empty list of parameters`() {
        #expect(document["methods"]?[1]?["params"] == [])
        #expect(document["methods"]?[1]?["errors"] == [])
    }

    @Test func `the document can be written and read`() throws {
        var writer = JSONWriter()
        writer.value(document)
        #expect(try JSONDocument(writer.bytes).root.value == document)
    }

    @Test func `every referenced schema and error exists`() {
        let all = Discovery.document(version: "1", methods: MethodDescription.all)
        func references(in value: JSONValue) -> [String] {
            let own = value["$ref"]?.string.map { [$0] } ?? []
            let inner = (value.members?.map(\.value) ?? []) + (value.array ?? [])
            return own + inner.flatMap(references)
        }
        let found = references(in: all)
        #expect(found.contains("#/components/schemas/hit"))
        for reference in Set(found) {
            let names = reference.split(separator: "/").dropFirst()
            let target = names.reduce(Optional(all)) { value, name in value?[String(name)] }
            #expect(target != nil, "\(reference)")
        }
        let schemas = Schema.Component.all.map { "#/components/schemas/\($0.name)" }
        #expect(Set(schemas).subtracting(found) == [])
    }

    @Test func `every method, notification and error kind is described once`() {
        #expect(Set(MethodDescription.all.map(\.name)).count == MethodDescription.all.count)
        #expect(Set(NotificationDescription.all.map(\.notification)).count == NotificationDescription.all.count)
        #expect(Set(ErrorCode.all.map(\.kind)).count == ErrorCode.all.count)
    }
}

struct ErrorCodeTests {
    static let contract: [(Int, [String])] = [
        (-32700, ["parseError"]),
        (-32600, ["invalidRequest", "lineTooLong", "tooDeep", "duplicateId"]),
        (-32601, ["methodNotFound"]),
        (-32602, ["invalidParams"]),
        (-32603, ["internal"]),
        (-32800, ["cancelled", "superseded"]),
        (-32001, ["unknownSource"]),
        (-32002, ["notConfigured", "unauthorized"]),
        (-32003, ["rateLimited"]),
        (-32004, ["quotaExhausted"]),
        (-32005, ["unavailable"]),
        (-32006, ["badResponse"]),
        (-32007, ["timeout"]),
        (-32008, ["overloaded"]),
        (-32009, ["shuttingDown"]),
        (-32010, ["notFound"]),
        (-32011, ["forbidden"]),
    ]

    @Test(arguments: contract) func `every error kind has the specified number`(number: Int, kinds: [String]) {
        for kind in kinds { #expect(ErrorCode.number(of: SearchError.Kind(rawValue: kind)) == number) }
    }

    @Test func `an unknown error kind has the number of an internal error`() {
        #expect(ErrorCode.number(of: SearchError.Kind(rawValue: "fromTheFuture")) == -32603)
    }
}
