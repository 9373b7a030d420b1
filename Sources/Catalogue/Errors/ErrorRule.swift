import JSON
import SearchModel

/// The meaning of error responses that meet all conditions; the first rule that applies is used.
struct ErrorRule: Sendable {
    enum Meaning: String, CaseIterable, Equatable, Sendable {
        /// The requested page is after the last page.
        case end
        case rateLimited
        case quotaExhausted
        case unauthorized
        case notConfigured
        case forbidden
        case invalidParams
        case notFound
        case badResponse
        case unavailable
    }

    let statuses: [ClosedRange<Int>]
    let headers: [(name: String, prefix: String)]
    let body: [Condition]
    let text: String?
    let meaning: Meaning
    let hint: String?
    let retryAfter: Duration?
    /// The path of a text that contains the seconds to wait.
    let retryAfterIn: FieldPath?
    let retryable: Bool?
    let quota: String?

    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields(["when", "means", "hint", "retryAfter", "retryAfterIn", "retryable", "quota"])
        hint = declared.optional(try object["hint"]?.string())
        retryAfter = declared.optional(try object["retryAfter"]?.duration())
        retryAfterIn = declared.optional(try object["retryAfterIn"].map(FieldPath.init))
        retryable = declared.optional(try object["retryable"]?.bool())
        quota = declared.optional(try object["quota"]?.string())
        let meaning: Meaning? = declared.part(try object.required("means").word())
        let when = try object.required("when").fields(["status", "header", "body", "text"])
        if when.members.isEmpty { when.declared.note("is empty", hint: "Use status, header, body or text.") }
        statuses = when["status"]?.oneOrMore(Self.status) ?? []
        headers = when["header"]?.each { name, value throws(CatalogueError) in (name, try value.anyString()) } ?? []
        body = when["body"]?.each(Condition.init) ?? []
        text = declared.optional(try when["text"]?.string())
        guard let meaning else { throw declared.spoiled }
        self.meaning = meaning
    }

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
