package import JSON
import RPC
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
