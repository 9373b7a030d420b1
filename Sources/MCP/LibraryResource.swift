import JSON
import RPC
import SearchModel

/// Offers the user's saved items as resources of the protocol.
enum LibraryResource {
    private static let prefix = "searchd://library/"
    static let template = prefix + "{id}"
    private static let type = "text/plain"
    private static let pageItems = 100

    static let templates = AgentResult(
        [
            "resourceTemplates": [
                [
                    "uriTemplate": .string(template), "name": "library", "title": "Saved item",
                    "description": "An item of the user's library, with its tags and notes.",
                    "mimeType": .string(type),
                ]
            ]
        ],
        isPublic: true
    )

    static func listParameters(_ cursor: String?) -> [UInt8] {
        JSONValue.object([
            JSONMember(.limit, .number(JSONNumber(pageItems))),
            JSONMember(.cursor, cursor.map(JSONValue.string) ?? .null),
        ]).bytes
    }

    static func list(_ document: JSONValue) -> AgentResult {
        let resources = (document[.items]?.array ?? []).compactMap { item -> JSONValue? in
            guard let id = item[.id]?.string else { return nil }
            return [
                "uri": .string(uri(of: id)), "name": .string(AgentText.cleaned(id)),
                "title": .string(AgentText.cleaned(item[.title]?.string ?? "")), "mimeType": .string(type),
                "annotations": ["lastModified": item[.updatedAt] ?? .null],
            ]
        }
        let next = document[.next].flatMap { $0.isNull ? nil : [JSONMember("nextCursor", $0)] } ?? []
        return AgentResult(.object([JSONMember("resources", .array(resources))] + next), isPublic: false)
    }

    static func parameters(of uri: String) -> [UInt8]? {
        guard uri.hasBytePrefix(prefix), uri.utf8.count <= 4096,
            let id = PercentEncoding.decode(String(decoding: uri.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
        else { return nil }
        return JSONValue.object([JSONMember(.id, .string(id))]).bytes
    }

    static func contents(_ document: JSONValue, at uri: String, _ quote: QuotedText) -> AgentResult {
        let item = document[.item]?.cleaned() ?? [:]
        let text = quote.quoting(QuotedText.lines(item))
        return AgentResult(
            ["contents": [["uri": .string(uri), "mimeType": .string(type), "text": .string(text)]]],
            isPublic: false
        )
    }

    static func uri(of id: String) -> String {
        prefix + PercentEncoding.encode(id) { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: ":") }
    }
}
