import HTTPMessage
import JSON
import SearchModel

/// Turns an answer that is no page of hits into what the caller is told.
struct ErrorReader: Sendable {
    /// How much of what a source says is passed on.
    static let quotedBytesMax = 200
    /// Where a rule's `text` is looked for.
    static let searchedBytesMax = 4096

    let source: SourceName
    let rules: [ErrorRule]
    /// Where the source says in words what is wrong.
    let messages: [FieldPath]

    /// What an answer turns out to be.
    enum Finding {
        case end
        case error(SearchError)
    }

    /// What an answer means; nil when it is a good one.
    ///
    /// The document is the body, when that is JSON.
    func read(_ response: HTTPResponse, _ document: JSONDocument?, _ redactor: Redactor) -> Finding? {
        if let rule = rules.first(where: { applies($0, response, document) }) {
            return rule.meaning == .end ? .end : .error(error(rule, response, document, redactor))
        }
        if (200...299).contains(response.status) { return nil }
        return .error(error(nil, response, document, redactor))
    }

    /// Whether any rule can apply to an answer of this status.
    func hasRules(for status: Int) -> Bool {
        rules.contains { $0.covers(status: status) }
    }

    private func applies(_ rule: ErrorRule, _ response: HTTPResponse, _ document: JSONDocument?) -> Bool {
        guard rule.covers(status: response.status) else { return false }
        for (name, prefix) in rule.headers where !(response.fields[name]?.hasPrefix(prefix) ?? false) { return false }
        if let emptyBody = rule.emptyBody, emptyBody != response.body.allSatisfy({ $0 <= 0x20 }) { return false }
        if let text = rule.text {
            let searched = Array(response.body.prefix(Self.searchedBytesMax))
            guard ByteSearch(Array(text.utf8)).isFound(in: searched.span) else { return false }
        }
        guard !rule.body.isEmpty else { return true }
        guard let root = document?.root else { return false }
        return rule.body.allSatisfy { $0.holds(of: root) }
    }

    private func error(
        _ rule: ErrorRule?,
        _ response: HTTPResponse,
        _ document: JSONDocument?,
        _ redactor: Redactor
    ) -> SearchError {
        let meaning = rule?.meaning ?? Self.usual(response.status)
        let kind = Self.kind(of: meaning)
        let retryAfter = RetryAfter.read(response.fields) ?? rule?.retryAfter
        var message = "\(source) answered \(response.status)"
        if let words = words(document, redactor) { message += ": \(words)" }
        return SearchError(
            kind,
            message,
            source: source,
            retryable: rule?.retryable ?? [.rateLimited, .unavailable].contains(kind),
            retryAfter: [.rateLimited, .unavailable, .quotaExhausted].contains(kind) ? retryAfter : nil,
            hint: rule?.hint ?? hint(for: meaning)
        )
    }

    /// The source's own words, cleaned and cut.
    private func words(_ document: JSONDocument?, _ redactor: Redactor) -> String? {
        guard let root = document?.root else { return nil }
        for path in messages {
            if let text = path.first(from: root)?.scalarText, !text.isEmpty {
                var cleaner = TextCleaner()
                let redacted = redactor.redacted(String(text.prefix(4 * Self.quotedBytesMax)))
                return cleaner.clean(redacted, markup: .none, bytesMax: Self.quotedBytesMax).text
            }
        }
        return nil
    }

    private static func usual(_ status: Int) -> ErrorRule.Meaning {
        switch status {
        case 401, 403, 407: .unauthorized
        case 408, 425, 500...599: .unavailable
        case 429: .rateLimited
        default: .badResponse
        }
    }

    private static func kind(of meaning: ErrorRule.Meaning) -> SearchError.Kind {
        SearchError.Kind(rawValue: meaning.rawValue)
    }

    private func hint(for meaning: ErrorRule.Meaning) -> String? {
        switch meaning {
        case .unauthorized: "check the keys of accounts.\(source.account) in the configuration"
        case .notConfigured: "complete accounts.\(source.account) in the configuration"
        case .rateLimited: "try again a little later"
        case .quotaExhausted: "wait until the quota begins anew, or search another source"
        case .unavailable: "the source has trouble of its own; try again later"
        case .badResponse: "the source answered something unexpected; its file may be out of date"
        case .invalidParams: "change the query or the options"
        case .end, .forbidden, .notFound: nil
        }
    }
}
