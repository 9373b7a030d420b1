import JSON

extension ErrorRule {
    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.object(["when", "means", "hint", "retryAfter", "retryable", "quota"])
        let when = try object.required("when").object(["status", "header", "body", "text", "empty"])
        guard !when.members.isEmpty else {
            throw when.place.error("is empty", hint: "name a status, header, body, text or empty")
        }
        var statuses: [ClosedRange<Int>] = []
        for status in try when["status"]?.oneOrMore() ?? [] { statuses.append(try Self.status(status)) }
        self.statuses = statuses
        var headers: [(name: String, prefix: String)] = []
        for (name, value) in try when["header"]?.members() ?? [] { headers.append((name, try value.anyString())) }
        self.headers = headers
        body = try when["body"].map(Condition.all) ?? []
        text = try when["text"]?.string()
        emptyBody = try when["empty"]?.bool()
        meaning = try object.required("means").word(Meaning.allCases.map { ($0.rawValue, $0) })
        hint = try object["hint"]?.string()
        retryAfter = try object["retryAfter"]?.duration()
        retryable = try object["retryable"]?.bool()
        quota = try object["quota"]?.string()
    }

    /// `429`, or `"5xx"` for a hundred of them.
    private static func status(_ declared: Declared) throws(CatalogueError) -> ClosedRange<Int> {
        let hint = "write a status such as 429, or \"5xx\""
        if let status = declared.node.int {
            guard (100...599).contains(status) else { throw declared.error("\(status) is no status", hint: hint) }
            return status...status
        }
        let text = try declared.string("a status such as 429, or \"5xx\"")
        guard text.utf8.count == 3, text.hasSuffix("xx"), let hundreds = text.first?.wholeNumberValue,
            (1...5).contains(hundreds)
        else { throw declared.error("\u{201C}\(text)\u{201D} is no status", hint: hint) }
        return hundreds * 100...hundreds * 100 + 99
    }
}
