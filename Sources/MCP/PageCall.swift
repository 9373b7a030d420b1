import Client
import JSON
import RPC
import SearchModel

/// A call of the tool `read`.
///
/// Fetches a page by its address or by the id of a hit, and shortens the text.
struct PageCall: Sendable {
    typealias Reader = @Sendable (JSONValue) throws(SearchError) -> PageDocument

    enum Next {
        case call(MethodName, [UInt8])
        case read(PageDocument)
    }

    private static let columnsMax = 4000
    private static let startMax = 10_000_000
    private static let passedOn: [Member] = [.maxAge, .timeout, .private]

    private let reader: Reader
    private let passed: [(name: String, value: JSONCursor)]
    private let url: String?
    private let id: String?
    private let start: Int
    private let showsHeadings: Bool
    private var visit: PageVisit?

    init(_ arguments: [(name: String, value: JSONCursor)], _ reader: @escaping Reader) throws(SearchError) {
        var parameters = Parameters(arguments, path: "arguments")
        self.reader = reader
        url = try parameters.string(.url)
        id = try parameters.string(.id)
        guard (url == nil) != (id == nil) else {
            throw Parameters.invalid(
                "arguments.url",
                "exactly one of “url” and “id” is needed",
                hint: "Give one of them."
            )
        }
        start = try parameters.integer(.start, in: 0...Self.startMax) ?? 0
        showsHeadings = try parameters.bool(.headings) ?? false
        passed = arguments.filter { argument in
            Self.passedOn.contains { $0.description.hasSameBytes(as: argument.name) }
        }
    }

    mutating func begin() -> (method: MethodName, params: [UInt8]) {
        if let url {
            visit = PageVisit(url)
            return (.page, params(url))
        }
        let params = JSONWriter.bytes { writer in
            writer.member(.id, id)
            writer.member(.offline, true)
        }
        return (.lookup, params)
    }

    private func params(_ url: String) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.url, url)
            for (name, value) in passed {
                writer.name(name)
                writer.rawOnOneLine(value.text)
            }
            writer.member(.agent, true)
        }
    }

    mutating func answered(_ result: JSONValue) throws(SearchError) -> Next {
        if visit == nil {
            guard let url = result[.hit]?[.url]?.string else {
                throw SearchError(.notFound, "the hit has no web address", hint: "Use the tool “lookup”.")
            }
            visit = PageVisit(url)
            return .call(.page, params(url))
        }
        do throws(SearchError) {
            visit?.add(try reader(result))
        } catch {
            try visit?.end(error)
        }
        return visit?.next.map { .call(.page, params($0)) } ?? .read(visit?.document ?? PageDocument())
    }

    /// If the text was shortened, the facts include the line at which to continue.
    func result(_ document: PageDocument, maxBytes: Int) -> (facts: [JSONMember], lines: [String]) {
        let all = Self.lines(document)
        let facts = [
            (Member.url, document.url), (.title, document.title), (.author, document.author),
            (.published, document.published), (.language, document.language),
        ]
        let known = facts.compactMap { member, value in value.map { JSONMember(member, .string($0)) } }
        var members = JSONValue.object(known).cleaned()?.members ?? []
        var left = maxBytes - JSONValue.object(members).bytes.count * 2 - 600
        var lines: [String] = []
        var next: Int?
        for (index, line) in all.enumerated() where index >= start && (!showsHeadings || line.isHeading) {
            let text = showsHeadings ? "\(index): \(line.text)" : line.text
            // The result contains each line twice: as text and as structured content.
            left -= max(JSONValue.string(text).bytes.count, text.utf8.count + 4) + 1
            guard left > 0 || lines.isEmpty else {
                next = index
                break
            }
            lines.append(text)
        }
        if let next { members.append(JSONMember(.next, .number(JSONNumber(next)))) }
        members.append(JSONMember(.total, .number(JSONNumber(all.count))))
        return (members, lines)
    }

    private static func lines(_ document: PageDocument) -> [(text: String, isHeading: Bool)] {
        let text = PageText(columns: columnsMax)
        return document.blocks.flatMap { block in
            text.lines(block).map { line in
                let indent = String(line.prefix { $0 == " " }.prefix(40))
                return (indent + AgentText.cleaned(line), block.kind == .heading)
            }
        }
    }
}
