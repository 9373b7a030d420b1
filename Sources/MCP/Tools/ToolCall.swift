package import JSON
import RPC
package import SearchModel

/// A `tools/call`, read: which tool, and what its method is to be called with.
package struct ToolCall: Sendable {
    package let entry: ToolList.Entry
    package let maxBytes: Int
    private let members: [(name: String, value: JSONCursor)]

    private static let path = "params.arguments"
    /// Arguments that are others when the method is asked again.
    private static let replaced = [Member.limit, .maxAge, .maxCalls].map { ExactText($0.description) }

    package init(_ params: JSONCursor?, of tools: ToolList) throws(AgentError) {
        guard let name = params?["name"], name.text.count <= Parameters.nameBytesMax, let text = name.string else {
            throw .invalidParams("params.name", "“name” is missing or no string", hint: "Name a tool of tools/list.")
        }
        guard let entry = tools[text] else {
            let nearest = NearestName.of(text, among: tools.entries.map(\.tool.name))
            throw .invalidParams(
                "params.name",
                "there is no such tool",
                hint: nearest.map(NearestName.question) ?? "tools/list has the tools."
            )
        }
        self.entry = entry
        let arguments = params?["arguments"].flatMap { $0.isNull ? nil : $0 }
        let known = entry.method.arguments(of: entry.tool).map(\.member.description)
        do throws(SearchError) {
            guard arguments == nil || arguments?.kind == .object else {
                throw Parameters.invalid(Self.path, "no object", hint: "Give the arguments by name.")
            }
            let members = try arguments.map { (object) throws(SearchError) in
                try Parameters.members(of: object, path: Self.path)
            }
            (self.members, maxBytes) = try Self.read(members ?? [], known, hasList: entry.tool.list != nil)
        } catch {
            throw AgentError(error)
        }
    }

    private static func read(
        _ all: [(name: String, value: JSONCursor)],
        _ known: [String],
        hasList: Bool
    ) throws(SearchError) -> ([(name: String, value: JSONCursor)], Int) {
        var maxBytes = MethodDescription.maxBytesDefault
        var members: [(name: String, value: JSONCursor)] = []
        for (name, value) in all {
            guard known.contains(where: { $0.hasSameBytes(as: name) }) else {
                let nearest = NearestName.of(name, among: known)
                throw Parameters.invalid(
                    "\(path).\(name)",
                    "there is no such argument",
                    hint: nearest.map(NearestName.question) ?? "Known: \(known.joined(separator: ", "))."
                )
            }
            guard hasList, name.hasSameBytes(as: Member.maxBytes.description) else {
                members.append((name, value))
                continue
            }
            let bounds = MethodDescription.maxBytes
            guard let bytes = value.int, bounds.contains(bytes) else {
                let expected = "an integer from \(bounds.lowerBound) to \(bounds.upperBound)"
                throw Parameters.invalid("\(path).\(name)", "“maxBytes” is not \(expected)", hint: "Give \(expected).")
            }
            maxBytes = bytes
        }
        return (members, maxBytes)
    }

    /// Whether nothing of it is kept, so that asking again would cost again.
    package var isPrivate: Bool {
        members.contains { $0.name.hasSameBytes(as: Member.private.description) && $0.value.bool == true }
    }

    /// The parameters of the method.
    ///
    /// - Parameter limit: How many elements its list may have when it is asked for what it has just answered, which
    ///   costs no call.
    /// - Returns: A JSON object.
    package func params(limit: Int? = nil) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in members where limit == nil || !Self.replaced.contains(ExactText(name)) {
                writer.name(name)
                // Blanks between its tokens may be line ends.
                writer.rawOnOneLine(value.text)
            }
            if let limit {
                writer.member(.limit, limit)
                if entry.tool.parameters.contains(.maxCalls) { writer.member(.maxCalls, 0) }
            }
            for flag in entry.tool.fixed { writer.member(flag.member, flag.value) }
        }
        return writer.bytes
    }

    /// An error of the method as one of the call: what it says of parameters it says of arguments.
    package func refusal(_ error: SearchError) -> AgentError {
        var error = error
        if let path = error.path, path.hasBytePrefix("params.") {
            error.message =
                error.message.hasBytePrefix(path) ? Self.path + error.message.dropFirst("params".count) : error.message
            error.path = Self.path + path.dropFirst("params".count)
        }
        return AgentError(error)
    }
}
