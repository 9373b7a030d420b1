import HTTP
import JSON
import SearchModel

/// Converts a response that is not a page of hits into an error for the caller.
struct ErrorReader: Sendable {
    /// How many bytes of a source's message are passed on.
    static let quotedBytesMax = 200
    /// How long after the end of a period a source may still count calls in it.
    static let resetLagSeconds: Int64 = 120
    /// The pause after a rate limit if neither the response nor the source's file specifies one.
    static let pauseUsual = Duration.seconds(5)
    /// How many bytes of a body are searched for a rule's `text`, and of a message for the query.
    static let searchedBytesMax = 4096

    let source: SourceName
    let rules: [ErrorRule]
    /// The paths of the source's human-readable message.
    let messages: [FieldPath]
    let quotas: [Quota]

    /// Information that is not part of the response.
    struct Context {
        let secrets: SecretHint
        /// Must not be repeated in a message.
        var query: String?
        /// Seconds since 1970; nil to use the response's own date.
        var now: Int64?
    }

    /// Throws the error for a response that is not a page of hits; returns whether it signals the end of the result.
    ///
    /// `document` is the body, if it is JSON.
    func isEnd(
        _ response: HTTPResponse,
        _ document: JSONDocument?,
        _ context: Context
    ) throws(SearchError) -> Bool {
        let rule = rules.first { applies($0, response, document) }
        if rule?.meaning == .end { return true }
        if rule == nil, (200...299).contains(response.status) { return false }
        throw error(rule, response, document, context)
    }

    private func applies(_ rule: ErrorRule, _ response: HTTPResponse, _ document: JSONDocument?) -> Bool {
        guard rule.covers(status: response.status) else { return false }
        for (name, prefix) in rule.headers where !(response.fields[name]?.hasBytePrefix(prefix) ?? false) {
            return false
        }
        if let emptyBody = rule.emptyBody, emptyBody != response.body.allSatisfy({ $0 <= 0x20 }) { return false }
        if let text = rule.text {
            let searched = response.body.span.extracting(first: Self.searchedBytesMax)
            guard searched.index(of: text.utf8.span) != nil else { return false }
        }
        guard !rule.body.isEmpty else { return true }
        guard let root = document?.root else { return false }
        return rule.body.allSatisfy { $0.holds(of: root) }
    }

    private func error(
        _ rule: ErrorRule?,
        _ response: HTTPResponse,
        _ document: JSONDocument?,
        _ context: Context
    ) -> SearchError {
        let meaning = rule?.meaning ?? Self.usual(response.status)
        let kind = SearchError.Kind(rawValue: meaning.rawValue)
        let now = context.now ?? RetryAfter.date(response.fields)
        var reset: PublishedDate?
        var retryAfter = RetryAfter.read(response.fields, now: now)
        if meaning == .quotaExhausted, let now, let end = self.reset(rule?.quota, at: now) {
            reset = end
            // A rule with its own pause does not prove that the quota is the cause.
            retryAfter = retryAfter ?? rule?.retryAfter ?? .seconds(end.epochSeconds - now)
        }
        retryAfter = retryAfter ?? rule?.retryAfter ?? (meaning == .rateLimited ? Self.pauseUsual : nil)
        var message = "\(source) answered \(response.status)"
        if let words = words(document, context) { message += ": \(words)" }
        return SearchError(
            kind,
            message,
            source: source,
            retryable: rule?.retryable ?? [.rateLimited, .unavailable].contains(kind),
            retryAfter: [.rateLimited, .unavailable, .quotaExhausted].contains(kind) ? retryAfter : nil,
            resetsAt: reset?.text,
            hint: rule?.hint ?? hint(for: meaning, context)
        )
    }

    /// Returns the reset time of the quota that a rule names, or of the longest quota.
    private func reset(_ name: String?, at now: Int64) -> PublishedDate? {
        let quota =
            quotas.first { $0.name == name } ?? quotas.max { $0.period(at: now).count < $1.period(at: now).count }
        return quota.map { quota in
            // Shortly after a reset, the source may not have begun the new period.
            let end = quota.period(at: now - Self.resetLagSeconds).upperBound
            return quota.date(end > now ? end : end + Self.resetLagSeconds)
        }
    }

    /// The source's own message, cleaned and truncated; nil if it repeats the query.
    private func words(_ document: JSONDocument?, _ context: Context) -> String? {
        guard let root = document?.root else { return nil }
        for path in messages {
            guard let text = path.first(from: root)?.scalarText, !text.isEmpty else { continue }
            let plain = TextCleaner.clean(text.utf8.span, markup: .none, bytesMax: Self.searchedBytesMax).text
            let repeated = context.query.map { [$0, PercentEncoding.encode($0)] } ?? []
            guard !repeated.contains(where: { plain.utf8.span.index(of: $0.utf8.span) != nil }) else { return nil }
            return PlainText(text: plain).cut(bytesMax: Self.quotedBytesMax).text
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

    private func hint(for meaning: ErrorRule.Meaning, _ context: Context) -> String? {
        switch meaning {
        case .unauthorized: context.secrets.replace
        case .notConfigured: context.secrets.complete
        case .rateLimited: "Try again a little later."
        case .quotaExhausted: "Wait until the quota resets, or search another source."
        case .unavailable: "The source is temporarily unavailable; try again later."
        case .badResponse: "The source answered something unexpected; its file may be out of date."
        case .invalidParams: "Change the query or the options."
        case .notFound: "Search for it again."
        case .forbidden: "Leave \(source) out of the search."
        case .end: nil
        }
    }
}

/// Hints about an account's keys, which are stored by `searchctl` or named in the configuration.
package struct SecretHint {
    /// The command for a daemon run by a user.
    package static let keysCommand = "searchctl keys set"
    /// The command for the system service, which reads keys that only root can change.
    package static let systemKeysCommand = "sudo searchctl keys set --system"

    let account: String
    /// As in `Source.keyWays`.
    let ways: [String]
    /// The command that stores a key.
    let command: String

    /// The hint for missing keys.
    func set(_ secrets: [String]) -> String {
        let names = secrets.map { "accounts.\(account).\($0)" }.joined(separator: " and ")
        return "Run \(commands), or set \(names) in the configuration."
    }

    /// The hint for an account that lacks something unspecified.
    var complete: String { "Run \(commands), or complete accounts.\(account) in the configuration." }

    /// The hint for keys that the source rejected.
    var replace: String { "Set the key again with \(commands), or check accounts.\(account) in the configuration." }

    /// One command for each way of access, if there are several.
    private var commands: String {
        let commands = ways.isEmpty ? ["\(command) \(account)"] : ways.map { "\(command) \(account) \($0)" }
        return commands.map { "“\($0)”" }.joined(separator: " or ")
    }
}
