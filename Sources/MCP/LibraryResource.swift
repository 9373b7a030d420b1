package import JSON
import RPC
import SearchModel

/// The items of the user's library as resources; pure.
package enum LibraryResource {
    private static let prefix = "searchd://library/"
    package static let template = prefix + "{id}"
    private static let type = "text/plain"
    private static let keepMilliseconds = 3_600_000
    /// How many a page of `resources/list` has.
    private static let pageItems = 100

    package static let templates = AgentResult(
        [
            JSONMember(
                "resourceTemplates",
                [
                    [
                        "uriTemplate": .string(template), "name": "library", "title": "Saved item",
                        "description": "An item of the user's library, with its tags and notes.",
                        "mimeType": .string(type),
                    ]
                ]
            )
        ],
        caching: .anyone(milliseconds: keepMilliseconds)
    )

    /// The parameters of `library/list` for a page of `resources/list`.
    package static func listParams(_ params: JSONCursor?) throws(AgentError) -> [UInt8] {
        let cursor = try ListCursor.read(params)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(.limit, pageItems)
            writer.member(.cursor, cursor)
        }
        return writer.bytes
    }

    /// The answer of `resources/list`, from that of `library/list`.
    package static func list(_ document: JSONCursor) -> AgentResult {
        let resources = document[.items]?.elements.compactMap(resource) ?? []
        var members = [JSONMember("resources", .array(resources))]
        if let next = document[.next]?.string { members.append(JSONMember("nextCursor", .string(next))) }
        return AgentResult(members, caching: .user(milliseconds: 0))
    }

    private static func resource(_ item: JSONCursor) -> JSONValue? {
        guard let id = item[.id]?.string else { return nil }
        let title = AgentText.cleaned(item[.title]?.string ?? "")
        var members = [
            JSONMember("uri", .string(uri(of: id))), JSONMember("name", .string(AgentText.cleaned(id))),
            JSONMember("title", .string(title)), JSONMember("mimeType", .string(type)),
        ]
        if let changed = item[.updatedAt]?.string {
            members.append(JSONMember("annotations", ["lastModified": .string(changed)]))
        }
        return .object(members)
    }

    /// The parameters of `library/get` for a resource; nil when there is none of that address.
    package static func readParams(_ uri: String) -> [UInt8]? {
        guard uri.hasBytePrefix(prefix), uri.utf8.count <= 4096,
            let id = PercentEncoding.decode(String(decoding: uri.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
        else { return nil }
        var writer = JSONWriter()
        writer.object { $0.member(.id, id) }
        return writer.bytes
    }

    /// The answer of `resources/read`, from that of `library/get`.
    package static func contents(_ document: JSONCursor, at uri: String, _ quote: QuotedText) -> AgentResult {
        let item = document[.item].flatMap { AgentView().value($0, .component(.item)) } ?? .object([])
        let text = quote.beginning + QuotedText.lines(item) + quote.end
        return AgentResult(
            [JSONMember("contents", [["uri": .string(uri), "mimeType": .string(type), "text": .string(text)]])],
            caching: .user(milliseconds: 0)
        )
    }

    // MARK: Addresses

    static func uri(of id: String) -> String {
        prefix + PercentEncoding.encode(id) { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: ":") }
    }
}

/// The cursor of a list.
package enum ListCursor {
    /// Nil when the list is to begin.
    static func read(_ params: JSONCursor?) throws(AgentError) -> String? {
        guard let cursor = params?[.cursor], !cursor.isNull else { return nil }
        guard cursor.text.count <= 256, let text = cursor.string else { throw invalid }
        return text
    }

    /// Of a list that has one page, so that no cursor belongs to it.
    package static func requireNone(_ params: JSONCursor?) throws(AgentError) {
        if try read(params) != nil { throw invalid }
    }

    package static let invalid = AgentError.invalidParams(
        "params.cursor",
        "the cursor is none of this list",
        hint: "Begin anew without a cursor."
    )
}
