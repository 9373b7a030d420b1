import JSON

extension ErrorRule {
    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields(["when", "means", "hint", "retryAfter", "retryable", "quota"])
        hint = declared.optional(try object["hint"]?.string())
        retryAfter = declared.optional(try object["retryAfter"]?.duration())
        retryable = declared.optional(try object["retryable"]?.bool())
        quota = declared.optional(try object["quota"]?.string())
        let meaning = declared.part(try object.required("means").word(Meaning.allCases.map { ($0.rawValue, $0) }))
        let when = try object.required("when").fields(["status", "header", "body", "text", "empty"])
        if when.members.isEmpty { when.declared.note("is empty", hint: "Name a status, header, body, text or empty.") }
        statuses = declared.all(declared.optional(try when["status"]?.oneOrMore()), Self.status)
        var headers: [(name: String, prefix: String)] = []
        for (name, value) in declared.members(of: when["header"]) {
            if let prefix = declared.part(try value.anyString()) { headers.append((name, prefix)) }
        }
        self.headers = headers
        body = declared.optional(try when["body"].map(Condition.all)) ?? []
        text = declared.optional(try when["text"]?.string())
        emptyBody = declared.optional(try when["empty"]?.bool())
        guard let meaning else { throw declared.spoiled }
        self.meaning = meaning
    }

    /// Reads `429`, or `"5xx"` for a range of one hundred.
    private static func status(_ declared: Declared) throws(CatalogueError) -> ClosedRange<Int> {
        let hint = "write a status such as 429, or \"5xx\""
        if let status = declared.node.int {
            guard (100...599).contains(status) else { throw declared.error("\(status) is not a status", hint: hint) }
            return status...status
        }
        let text = try declared.string("a status such as 429, or \"5xx\"")
        guard text.utf8.count == 3, text.hasSuffix("xx"), let hundreds = text.first?.wholeNumberValue,
            (1...5).contains(hundreds)
        else { throw declared.error("\u{201C}\(text)\u{201D} is not a status", hint: hint) }
        return hundreds * 100...hundreds * 100 + 99
    }
}
