import JSON
import RPC
import SearchModel

/// A call of a tool: which parameters its method is called with, and what the agent gets of the answer; pure.
struct ToolCall: Sendable {
    /// What follows an answer of the method.
    enum Next {
        case done(AgentResult)
        /// The method is to be called again with these parameters.
        case again([UInt8])
    }

    let tool: Tool
    private let arguments: JSONCursor?
    private let quote: QuotedText
    private var members: [(name: String, value: JSONCursor)] = []
    private var maxBytes = AgentTool.maxBytesDefault
    private var showsAll = false
    /// How many elements of the list are left out; nil before the answer was found to be too long.
    private var leftOut: Int?

    /// The longest result of the tool `sources` without `all`.
    private static let briefBytesMax = 3900
    /// Arguments that do not apply to the second call, which costs nothing.
    private static let replaced = [Member.limit, .maxAge, .maxCalls].map(\.description)

    /// - Throws: An error for an unknown tool or a malformed call.
    init(_ params: JSONCursor?, mark: UInt32) throws(AgentError) {
        let name = params?["name"]?.string ?? ""
        guard let tool = Tool.all.first(where: { $0.about.name.hasSameBytes(as: name) }) else {
            let names = Tool.all.map(\.about.name).joined(separator: ", ")
            throw .invalidParams("params.name", "unknown tool", hint: "The tools are \(names).")
        }
        arguments = params?["arguments"].flatMap { $0.isNull ? nil : $0 }
        guard arguments == nil || arguments?.kind == .object else {
            throw .invalidParams("params.arguments", "not an object", hint: "Give the arguments by name.")
        }
        (self.tool, quote) = (tool, QuotedText(mark: mark))
    }

    // MARK: Parameters

    /// The parameters of the method; refuses arguments that the tool does not have, and leaves the others to the daemon.
    mutating func parameters(streams: Bool) throws(SearchError) -> [UInt8] {
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
        return written(streams: streams)
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

    // MARK: Answers

    /// The method has answered.
    ///
    /// A list that is too long for `maxBytes` is asked for again with fewer elements, to get the cursor that follows them.
    mutating func answered(_ document: JSONValue) -> Next {
        if tool.method == .sourceList, !showsAll { return .done(brief(document)) }
        var members = document.cleaned(leavingOut: tool.about.leavesOut)?.members ?? []
        if let list = tool.about.list, let elements = JSONValue.object(members)[list]?.array, elements.count > 1 {
            let keeps = fitting(elements, with: members.filter { $0.name != list.description })
            if keeps < elements.count {
                // What is private was not cached: the second call would cost another call of the source.
                let isPrivate = self.members.contains {
                    $0.name.hasSameBytes(as: Member.private.description) && $0.value.bool == true
                }
                let isFirst = leftOut == nil
                leftOut = (leftOut ?? 0) + elements.count - keeps
                if isFirst, !isPrivate { return .again(written(limit: keeps)) }
                members.removeAll { [list, .next].map(\.description).contains($0.name) }
                members.append(JSONMember(list, .array(Array(elements.prefix(keeps)))))
                members.append(JSONMember(.next, .null))
            }
        }
        return .done(result(members))
    }

    /// The method has failed, or an argument is wrong: the model reads why, and what to do about it.
    func failed(_ error: JSONValue) -> AgentResult {
        let clean = (error.cleaned(leavingOut: [.code, .trace, .file, .line, .key]) ?? .null).namingArguments
        let text = "\(tool.about.title) has failed. \(advice(error[.data]))\n"
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
        return data?[.retryable]?.bool == true ? "It may work later." : "The same call will fail again; read the hint."
    }

    /// How many elements of the list fit, at least one.
    private func fitting(_ elements: [JSONValue], with others: [JSONMember]) -> Int {
        let rest = JSONValue.object(others)
        var jsonBytes = rest.bytes.count + Tool.quotedNotice.utf8.count + 64
        var textBytes = quote.quoting(QuotedText.lines(rest)).utf8.count + 160
        for (index, element) in elements.enumerated() {
            jsonBytes += element.bytes.count + 1
            textBytes += QuotedText.lines(ofElement: element).utf8.count
            if max(jsonBytes, textBytes) > maxBytes { return max(1, index) }
        }
        return elements.count
    }

    /// A result with its members as structured content and as text, which may show others and more.
    private func result(_ members: [JSONMember], shown: JSONValue? = nil, more: String = "") -> AgentResult {
        var (members, more) = (members, more)
        if let leftOut, leftOut > 0 {
            members.append(JSONMember(.leftOut, .number(JSONNumber(leftOut))))
            more =
                "\(leftOut) more were left out for maxBytes; call again with the cursor in next, or a smaller limit.\n"
        }
        let lines = QuotedText.lines(shown ?? .object(members))
        return AgentResult([
            "content": [["type": "text", "text": .string("\(tool.about.title).\n\(quote.quoting(lines))\(more)")]],
            "structuredContent": .object([JSONMember(.quoted, .string(Tool.quotedNotice))] + members),
            "isError": false,
        ])
    }

    /// The sources that can be searched and what is left of their quotas, as many as fit a few kilobytes.
    private func brief(_ document: JSONValue) -> AgentResult {
        let clean = document.cleaned() ?? .null
        let sources = (clean[.sources]?.array ?? []).filter { $0[.enabled]?.bool == true }
        let profiles = (clean[.profiles]?.array ?? []).compactMap { $0[.name] }
        var quotas: [JSONMember] = []
        for quota in sources.flatMap({ $0[.quota]?.array ?? [] }) {
            guard let name = quota[.name]?.string, let left = quota[.left] else { continue }
            if !quotas.contains(where: { $0.name.hasSameBytes(as: name) }) { quotas.append(JSONMember(name, left)) }
        }
        var count = max(sources.count, profiles.count, quotas.count)
        while true {
            let calls = JSONMember(.callsLeft, .object(Array(quotas.prefix(count))))
            let names = sources.prefix(count).map { $0[.source] ?? .null }
            let entries = sources.prefix(count).map { source -> JSONValue in
                ["source": source[.source] ?? .null, "kind": source[.kind] ?? .null]
            }
            let result = result(
                [
                    JSONMember(.sources, .array(entries)), calls,
                    JSONMember(.profiles, .array(profiles.prefix(count).map { ["name": $0] })),
                    JSONMember(.leftOut, .number(JSONNumber(max(0, sources.count - count)))),
                ],
                shown: .object([
                    JSONMember(.sources, .array(names)), calls,
                    JSONMember(.profiles, .array(Array(profiles.prefix(count)))),
                ]),
                more: "With all: every source, also those that can't be searched and why, options, limits, profiles.\n"
            )
            if count == 0 || result.bytes(in: .july2026).count <= Self.briefBytesMax { return result }
            count = count * 3 / 4
        }
    }
}

extension JSONValue {
    /// An error of the daemon that names arguments instead of parameters.
    fileprivate var namingArguments: JSONValue {
        switch self {
        case .string(let text) where text.hasBytePrefix("params."):
            .string("arguments." + text.dropFirst("params.".count))
        case .object(let members): .object(members.map { JSONMember($0.name, $0.value.namingArguments) })
        default: self
        }
    }
}
