import JSON
import SearchModel

/// The meaning of error responses that meet all conditions; the first rule that applies is used.
struct ErrorRule: Sendable {
    /// Means that the requested page is after the last page.
    static let end = SearchError.Kind(rawValue: "end")
    private static let meanings: [SearchError.Kind] = [
        end, .rateLimited, .quotaExhausted, .unauthorized, .notConfigured, .forbidden, .invalidParams, .notFound,
        .badResponse, .unavailable,
    ]

    let statuses: [ClosedRange<Int>]
    let headers: [(name: String, prefix: String)]
    let body: [Condition]
    let text: String?
    let meaning: SearchError.Kind
    let hint: String?
    let retryAfter: Duration?
    /// The path of a text that contains the seconds to wait.
    let retryAfterIn: FieldPath?
    let retryable: Bool?
    let quota: String?

    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields(["when", "means", "hint", "retryAfter", "retryAfterIn", "retryable", "quota"])
        hint = declared.part(try object["hint"]?.string())
        retryAfter = declared.part(try object["retryAfter"]?.duration())
        retryAfterIn = declared.part(try object["retryAfterIn"].map(FieldPath.init))
        retryable = declared.part(try object["retryable"]?.bool())
        quota = declared.part(try object["quota"]?.string())
        let meaning = declared.part(try object.required("means").word(Self.meanings.map { ($0.rawValue, $0) }))
        let when = try object.required("when").fields(["status", "header", "body", "text"])
        if when.members.isEmpty { when.declared.note("is empty", hint: "Use status, header, body or text.") }
        statuses = when["status"]?.oneOrMore(Self.status) ?? []
        headers = when["header"]?.each { name, value throws(CatalogueError) in (name, try value.anyString()) } ?? []
        body = when["body"]?.each(Condition.init) ?? []
        text = declared.part(try when["text"]?.string())
        guard let meaning else { throw declared.spoiled }
        self.meaning = meaning
    }

    private static func status(_ declared: Declared) throws(CatalogueError) -> ClosedRange<Int> {
        let example = "a status such as 429, or \"5xx\""
        let text = if let number = declared.node.int { String(number) } else { try declared.string(example) }
        guard text.utf8.count == 3, let low = Int(text.replacing("xx", with: "00")), (100...599).contains(low) else {
            throw declared.error("\u{201C}\(text)\u{201D} is not a status", hint: "Write \(example).")
        }
        return low...low + (text.hasSuffix("xx") ? 99 : 0)
    }
}
