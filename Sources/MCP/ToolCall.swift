import JSON
import RPC
import SearchModel

/// A call of a tool.
///
/// It makes one or more calls to the daemon.
struct ToolCall: Sendable {
    enum Next {
        case done(AgentResult)
        case call(MethodName, [UInt8])
    }

    let tool: Tool
    private let arguments: JSONCursor?
    private let quote: QuotedText
    private var members: [(name: String, value: JSONCursor)] = []
    private var maxBytes = AgentTool.maxBytesDefault
    private var showsAll = false
    private let reader: PageCall.Reader
    private var page: PageCall?
    /// How many list elements were left out.
    ///
    /// Nil if no answer was too long.
    private var leftOut: Int?

    private static let briefBytesMax = 3900
    /// If an answer is too long, a second call replaces or omits these arguments.
    ///
    /// The second answer comes from the cache.
    private static let replaced = [Member.limit, .maxAge, .maxCalls].map(\.description)

    init(
        _ params: JSONCursor?,
        mark: UInt32,
        reader: @escaping PageCall.Reader
    ) throws(AgentError) {
        let name = params?["name"]?.string ?? ""
        guard let tool = Tool.all.first(where: { $0.about.name.hasSameBytes(as: name) }) else {
            let names = Tool.all.map(\.about.name).joined(separator: ", ")
            throw .invalidParams("params.name", "unknown tool", hint: "The tools are \(names).")
        }
        arguments = params?["arguments"].flatMap { $0.isNull ? nil : $0 }
        guard arguments == nil || arguments?.kind == .object else {
            throw .invalidParams("params.arguments", "not an object", hint: "Pass the arguments by name.")
        }
        (self.tool, self.reader, quote) = (tool, reader, QuotedText(mark: mark))
    }

    mutating func begin(streams: Bool) throws(SearchError) -> (method: MethodName, params: [UInt8]) {
        let known = tool.arguments.map(\.member.description)
        let given = try arguments.map { (all) throws(SearchError) in try Parameters.members(of: all, path: "arguments")
        }
        for (name, value) in given ?? [] where !value.isNull {
            guard known.contains(where: name.hasSameBytes) else {
                let nearest = NearestName.of(name, among: known)
                let hint = nearest.map(NearestName.question) ?? tool.argumentNames
                throw Parameters.invalid("arguments.\(name)", "unknown argument", hint: hint)
            }
            switch ExactText(name) {
            case ExactText(Member.maxBytes.description):
                let range = AgentTool.maxBytesRange
                guard let bytes = value.int, range.contains(bytes) else {
                    throw Self.wrong(name, "an integer from \(range.lowerBound) to \(range.upperBound)")
                }
                maxBytes = bytes
            case ExactText(Member.all.description):
                guard let flag = value.bool else { throw Self.wrong(name, "true or false") }
                showsAll = flag
            default: members.append((name, value))
            }
        }
        guard tool.method == .page else { return (tool.method, written(streams: streams)) }
        var page = try PageCall(members, reader)
        defer { self.page = page }
        return page.begin()
    }

    private static func wrong(_ name: String, _ expected: String) -> SearchError {
        Parameters.invalid("arguments.\(name)", "“\(name)” is not \(expected)", hint: "Give \(expected).")
    }

    private func written(streams: Bool = false, limit: Int? = nil) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in members where limit == nil || !Self.replaced.contains(where: name.hasSameBytes) {
                writer.name(name)
                writer.rawOnOneLine(value.text)
            }
            if let limit {
                writer.member(.limit, limit)
                if tool.about.parameters.contains(.maxCalls) { writer.member(.maxCalls, 0) }
            }
            if streams {
                writer.member(.stream, true)
                writer.member(.progress, true)
            }
            for flag in tool.about.fixed { writer.member(flag.member, flag.value) }
        }
        return writer.bytes
    }

    /// Repeats a call with a smaller limit if the result is longer than `maxBytes`.
    mutating func answered(_ document: JSONValue) -> Next {
        if tool.method == .sourceList, !showsAll { return .done(brief(document)) }
        if let page { return answered(document, page) }
        var members = document.cleaned(leavingOut: tool.about.leavesOut)?.members ?? []
        if let list = tool.about.list, let elements = JSONValue.object(members)[list]?.array, elements.count > 1 {
            let keeps = fitting(elements, with: members.filter { $0.name != list.description })
            if keeps < elements.count {
                // A private answer is not cached, so a second call would call the source again.
                let isPrivate = self.members.contains {
                    $0.name.hasSameBytes(as: Member.private.description) && $0.value.bool == true
                }
                let isFirst = leftOut == nil
                leftOut = (leftOut ?? 0) + elements.count - keeps
                if isFirst, !isPrivate { return .call(tool.method, written(limit: keeps)) }
                members.removeAll { [list, .next].map(\.description).contains($0.name) }
                members.append(JSONMember(list, .array(Array(elements.prefix(keeps)))))
                members.append(JSONMember(.next, .null))
            }
        }
        return .done(result(members))
    }

    private mutating func answered(_ document: JSONValue, _ current: PageCall) -> Next {
        var current = current
        defer { page = current }
        do throws(SearchError) {
            switch try current.answered(document) {
            case .call(let method, let params): return .call(method, params)
            case .read(let read):
                let (facts, lines) = current.result(read, maxBytes: maxBytes)
                let text = QuotedText.lines(.object(facts)) + lines.map { "> \($0)\n" }.joined()
                let content = facts + [JSONMember(.text, .array(lines.map(JSONValue.string)))]
                return .done(result(content, shown: text))
            }
        } catch {
            return .done(failed(error.json))
        }
    }

    func failed(_ error: JSONValue) -> AgentResult {
        let clean = (error.cleaned(leavingOut: [.code, .trace, .file, .line, .key]) ?? .null).namingArguments
        let text = "\(tool.about.title) failed. \(advice(error[.data]))\n"
        return AgentResult([
            "content": [["type": "text", "text": .string(text + quote.quoting(QuotedText.lines(clean)))]],
            "isError": true,
        ])
    }

    private func advice(_ data: JSONValue?) -> String {
        if data?[.kind]?.string == SearchError.Kind.invalidParams.rawValue { return tool.argumentNames }
        if let time = data?[.resetsAt]?.string {
            return "Use another source, or try again after \(AgentText.cleaned(time))."
        }
        if let wait = data?[.retryAfter]?.int { return "Try again in \((wait + 999) / 1000) s, or use another source." }
        return data?[.retryable]?.bool == true ? "It may work later." : "The same call will fail again. Read the hint."
    }

    private func fitting(_ elements: [JSONValue], with others: [JSONMember]) -> Int {
        let rest = JSONValue.object(others)
        var jsonBytes = rest.bytes.count + Tool.quotedNotice.utf8.count + 64
        var textBytes = quote.quoting(QuotedText.lines(rest)).utf8.count + 160
        for (index, element) in elements.enumerated() {
            jsonBytes += element.bytes.count + 1
            textBytes += QuotedText.lines(element, isElement: true).utf8.count
            if max(jsonBytes, textBytes) > maxBytes { return max(1, index) }
        }
        return elements.count
    }

    /// The text contains `shown` (or the members, if `shown` is nil), and then `more`.
    private func result(_ members: [JSONMember], shown lines: String? = nil, more: String = "") -> AgentResult {
        var (members, more) = (members, more)
        if let leftOut, leftOut > 0 {
            members.append(JSONMember(.leftOut, .number(JSONNumber(leftOut))))
            let hasNext = JSONValue.object(members)[.next]?.string != nil
            let advice = hasNext ? "the cursor in “next”, or a smaller limit" : "a larger “maxBytes”, or another query"
            more = "\(leftOut) more were left out because of “maxBytes”. Call again with \(advice).\n"
        }
        let quoted = quote.quoting(lines ?? QuotedText.lines(.object(members)))
        return AgentResult([
            "content": [["type": "text", "text": .string("\(tool.about.title).\n\(quoted)\(more)")]],
            "structuredContent": .object([JSONMember(.quoted, .string(Tool.quotedNotice))] + members),
            "isError": false,
        ])
    }

    private func brief(_ document: JSONValue) -> AgentResult {
        let clean = document.cleaned() ?? .null
        let sources = (clean[.sources]?.array ?? []).filter { $0[.enabled]?.bool == true }
        let profiles = (clean[.profiles]?.array ?? []).compactMap { $0[.name] }
        var quotas: [JSONMember] = []
        for quota in sources.flatMap({ $0[.quota]?.array ?? [] }) {
            guard let name = quota[.name]?.string, var left = quota[.left] else { continue }
            // Convert money to the number of calls that it pays for. The small number corrects rounding errors.
            if let cost = quota[.cost]?.double, cost > 0, let money = left.double {
                left = .number(JSONNumber(Int(money / cost + 0.000_001)))
            }
            if !quotas.contains(where: { $0.name.hasSameBytes(as: name) }) { quotas.append(JSONMember(name, left)) }
        }
        var count = max(sources.count, profiles.count, quotas.count)
        let all = sources.map { $0[.source] ?? .null }
        // The text has all source names, unless they need more than half of the space.
        let hasAllNames = JSONValue.array(all).bytes.count <= Self.briefBytesMax / 2
        while true {
            let calls = JSONMember(.callsLeft, .object(Array(quotas.prefix(count))))
            let names = hasAllNames ? all : Array(all.prefix(count))
            let entries = sources.prefix(count).map { source -> JSONValue in
                ["source": source[.source] ?? .null, "kind": source[.kind] ?? .null]
            }
            let result = result(
                [
                    JSONMember(.sources, .array(entries)), calls,
                    JSONMember(.profiles, .array(profiles.prefix(count).map { ["name": $0] })),
                    JSONMember(.leftOut, .number(JSONNumber(max(0, sources.count - count)))),
                ],
                shown: QuotedText.lines([
                    "sources": .array(names), "callsLeft": calls.value,
                    "profiles": .array(Array(profiles.prefix(count))),
                ]),
                more: (names.count < all.count ? "\(all.count - names.count) more sources were left out. " : "")
                    + "If “all” is true, the answer also has disabled sources, and options and limits of each source.\n"
            )
            if count == 0 || result.bytes(in: .july2026).count <= Self.briefBytesMax { return result }
            count = count * 3 / 4
        }
    }
}

extension JSONValue {
    /// Replaces names of the daemon's protocol with the names that agents know.
    fileprivate var namingArguments: JSONValue {
        switch self {
        case .string(let text) where text.hasBytePrefix("params."):
            .string("arguments." + text.dropFirst("params.".count))
        case .string(let text) where text.hasBytePrefix("source/list "):
            .string("The tool “sources” " + text.dropFirst("source/list ".count))
        case .object(let members): .object(members.map { JSONMember($0.name, $0.value.namingArguments) })
        default: self
        }
    }
}
