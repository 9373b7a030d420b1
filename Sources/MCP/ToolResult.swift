package import JSON
package import RPC
package import SearchModel

/// What a tool answers: the result of its method, cleaned, as structured content and as quoted text; pure.
package struct ToolResult: Sendable {
    package enum Outcome: Sendable {
        case result([UInt8])
        case tooLong(Cut)
    }

    /// An answer that is too long: its method is to be asked once more, for fewer elements of its list.
    package struct Cut: Sendable {
        package let keeps: Int
        package let leftOut: Int
        /// The result with so many of them and no cursor, where the method can't be asked again.
        package let shortened: [UInt8]
    }

    /// What a method answers; a source's documents nest more deeply than requests.
    private static let limits = JSONLimits(depthMax: 256, bytesMax: 64 << 20)

    private let entry: ToolList.Entry
    private let revision: Revision
    private let quote: QuotedText

    package init(_ entry: ToolList.Entry, _ quote: QuotedText, in revision: Revision) {
        (self.entry, self.quote, self.revision) = (entry, quote, revision)
    }

    // MARK: Success

    /// The result of a tool that has worked.
    ///
    /// - Parameters:
    ///   - document: The result of its method.
    ///   - maxBytes: How long the text and the structured content may each be; one element of the list always fits.
    ///   - leftOut: How many elements had to be left out before.
    /// - Returns: The result, or how to ask again for a shorter one.
    /// - Throws: When the document is none.
    package func outcome(_ document: [UInt8], maxBytes: Int, leftOut: Int = 0) throws(JSONError) -> Outcome {
        let root = try JSONDocument(document, limits: Self.limits).root
        let view = AgentView(leavingOut: entry.tool.leavesOut)
        var members = view.value(root, .object(entry.method.result))?.members ?? []
        members.insert(JSONMember(.quoted, .string(MethodDescription.quotedNotice)), at: 0)
        if leftOut > 0 { members.append(JSONMember(.leftOut, .number(JSONNumber(leftOut)))) }
        let content = JSONValue.object(members)
        if let list = entry.tool.list, let elements = content[list]?.array, elements.count > 1 {
            let kept = fitting(elements, besides: members.filter { $0.name != list.description }, maxBytes)
            if kept < elements.count { return .tooLong(cut(members, list, elements, keeps: kept)) }
        }
        return .result(result(text(members, leftOut), content: content, isError: false))
    }

    private func cut(_ members: [JSONMember], _ list: Member, _ elements: [JSONValue], keeps: Int) -> Cut {
        let leftOut = elements.count - keeps
        var kept = members.map { member in
            switch ExactText(member.name) {
            case ExactText(list.description): JSONMember(list, .array(Array(elements.prefix(keeps))))
            case ExactText(Member.next.description): JSONMember(.next, .null)
            default: member
            }
        }
        kept.append(JSONMember(.leftOut, .number(JSONNumber(leftOut))))
        let text = text(kept, leftOut, hasCursor: false)
        return Cut(
            keeps: keeps,
            leftOut: leftOut,
            shortened: result(text, content: .object(kept), isError: false)
        )
    }

    /// How many elements of the list fit.
    private func fitting(_ elements: [JSONValue], besides members: [JSONMember], _ maxBytes: Int) -> Int {
        let rest = JSONValue.object(members)
        var jsonBytes = rest.bytes.count + 32
        var textBytes = quote.beginning.utf8.count + QuotedText.lines(rest).utf8.count + 128
        for (index, element) in elements.enumerated() {
            jsonBytes += element.bytes.count + 1
            textBytes += QuotedText.lines(ofElement: element).utf8.count
            if max(jsonBytes, textBytes) > maxBytes { return max(1, index) }
        }
        return elements.count
    }

    private func text(_ members: [JSONMember], _ leftOut: Int, hasCursor: Bool = true) -> String {
        let quoted = members.filter { $0.name != Member.quoted.description }
        let how = hasCursor ? "call again with the cursor in next" : "call again with a smaller limit"
        let more = leftOut > 0 ? "\(leftOut) more were left out for maxBytes; \(how).\n" : ""
        return "\(entry.tool.title).\n\(quote.beginning)\(QuotedText.lines(.object(quoted)))\(quote.end)\(more)"
    }

    // MARK: Failure

    /// The result of a tool that has failed: why, and what to do about it.
    package func failure(_ error: SearchError) -> [UInt8] {
        var writer = JSONWriter()
        MessageWriter.error(error, to: &writer)
        let view = AgentView(leavingOut: [.code, .trace, .file, .line, .key])
        let document = try? JSONDocument(writer.bytes).root
        let clean = document.flatMap { view.value($0, .component(.error)) } ?? .object([])
        let advice = Self.advice(error)
        let text = "\(entry.tool.title) has failed. \(advice)\n\(quote.beginning)\(QuotedText.lines(clean))\(quote.end)"
        return result(text, content: nil, isError: true)
    }

    private static func advice(_ error: SearchError) -> String {
        if let resetsAt = error.resetsAt {
            return "Use another source, or try again after \(AgentText.cleaned(resetsAt))."
        }
        if let wait = error.retryAfter {
            return "Try again in \(max(1, Int(wait.components.seconds))) s, or use another source."
        }
        return error.retryable == true ? "It may work later." : "The same call will fail again; read the hint."
    }

    private func result(_ text: String, content: JSONValue?, isError: Bool) -> [UInt8] {
        var members = [JSONMember("content", [["type": "text", "text": .string(text)]])]
        if let content, revision.hasStructuredContent { members.append(JSONMember("structuredContent", content)) }
        members.append(JSONMember("isError", .bool(isError)))
        return AgentResult(members).bytes(in: revision)
    }
}

/// A result of a method as an agent gets it: the members it has use for, with all texts cleaned.
///
/// What is left matches the schema that the same tool has in `tools/list`. Pure.
package struct AgentView: Sendable {
    private let style: Schema.Style

    /// More of a free object's members, or deeper ones, are dropped.
    private static let freeMembersMax = 64
    private static let freeDepthMax = 8

    /// Members that hold a name or an id, which must stay as it is.
    private static let tokens: [Member] = [
        .id, .source, .sources, .alsoFrom, .next, .saved, .kind, .kinds, .name, .published, .savedAt, .updatedAt, .at,
        .resetsAt, .forecast,
    ]
    private static let links: [Member] = [.url, .thumbnail]

    package init(leavingOut members: [Member] = []) {
        style = .alone(leavingOut: members)
    }

    /// The value of a schema, cleaned; nil when it is a link that must not stand.
    package func value(_ value: JSONCursor, _ schema: Schema, of member: Member? = nil) -> JSONValue? {
        switch schema {
        case .null, .flag, .number, .integer: return value.value
        case .text, .words: return value.string.flatMap { text($0, of: member) }
        case .anything: return free(value, depth: Self.freeDepthMax)
        case .list(let element): return .array(value.elements.compactMap { self.value($0, element, of: member) })
        case .either(let first, let second):
            return value.isNull ? .null : self.value(value, first.isNull ? second : first, of: member)
        case .component(let component): return self.value(value, component.schema, of: member)
        case .object(let fields, let others): return .object(object(value, fields, others))
        }
    }

    private func object(_ object: JSONCursor, _ fields: [Schema.Field], _ others: Schema?) -> [JSONMember] {
        var members: [JSONMember] = []
        object.forEachMember { name, value in
            if let field = fields.first(where: { $0.member.description.hasSameBytes(as: name) }) {
                guard style.keeps(field), let clean = self.value(value, field.schema, of: field.member) else { return }
                members.append(JSONMember(name, clean))
            } else if let others, members.count < Self.freeMembersMax, let clean = self.value(value, others) {
                members.append(JSONMember(AgentText.cleaned(name), clean))
            }
        }
        return members
    }

    private func text(_ text: String, of member: Member?) -> JSONValue? {
        if let member, Self.links.contains(member) { return LinkText.cleaned(text).map(JSONValue.string) }
        if let member, Self.tokens.contains(member), Self.isToken(text) { return .string(text) }
        return .string(Self.cleaned(text))
    }

    /// A text that may be an address.
    private static func cleaned(_ text: String) -> String {
        let isAddress = LinkText.isWeb(text.unicodeScalars) && !text.unicodeScalars.contains(" ")
        return isAddress ? LinkText.cleaned(text) ?? "(link left out)" : AgentText.cleaned(text)
    }

    /// Whether a text is of the characters of ids and names alone, none of which begins markup.
    private static func isToken(_ text: String) -> Bool {
        text.utf8.count <= 512 && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || ".:_-+/@=,%".utf8.contains($0) }
    }

    /// A value that no schema describes.
    private func free(_ value: JSONCursor, depth: Int) -> JSONValue? {
        let isDeep = value.kind == .array || value.kind == .object
        if isDeep, depth == 0 { return nil }
        switch value.kind {
        case .null, .bool, .number: return value.value
        case .string: return value.string.map { .string(Self.cleaned($0)) }
        case .array:
            return .array(value.elements.prefix(Self.freeMembersMax).compactMap { free($0, depth: depth - 1) })
        case .object:
            var members: [JSONMember] = []
            value.forEachMember { name, value in
                guard members.count < Self.freeMembersMax, let clean = free(value, depth: depth - 1) else { return }
                members.append(JSONMember(AgentText.cleaned(name), clean))
            }
            return .object(members)
        }
    }
}

extension Schema {
    fileprivate var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
