import HTTP
import JSON
import SearchModel

/// Converts a response that is not a page of hits into an error.
extension Source {
    private static let quotedBytesMax = 200
    /// For this time after a reset, a source may still count calls in the previous period.
    private static let resetLagSeconds: Int64 = 120
    private static let pauseUsual = Duration.seconds(5)
    private static let searchedBytesMax = 4096

    func isEnd(
        _ response: HTTPResponse,
        _ document: JSONDocument?,
        _ account: AccountAccess,
        query: String?,
        at now: Int64?
    ) throws(SearchError) -> Bool {
        let rule = errors.first { Self.applies($0, response, document) }
        if rule?.meaning == ErrorRule.end { return true }
        if rule == nil, (200...299).contains(response.status) { return false }
        let now = now ?? RetryAfter.date(response.fields)
        let kind = rule?.meaning ?? Self.usual(response.status)
        let reset = kind == .quotaExhausted ? now.flatMap { self.reset(rule?.quota, at: $0) } : nil
        let untilReset = reset.flatMap { end in now.map { Duration.seconds(end.epochSeconds - $0) } }
        let wait = document.flatMap { rule?.retryAfterIn?.first(from: $0.root)?.scalarText }
        // The time until the reset is used only without another pause, because the quota may not be the cause.
        let retryAfter =
            RetryAfter.read(response.fields, now: now) ?? wait.flatMap(RetryAfter.seconds) ?? rule?.retryAfter
            ?? (kind == .rateLimited ? Self.pauseUsual : untilReset)
        throw SearchError(
            kind,
            "\(name) answered \(response.status)" + (words(document, query: query).map { ": \($0)" } ?? ""),
            source: name,
            retryable: rule?.retryable ?? [.rateLimited, .unavailable].contains(kind),
            retryAfter: [.rateLimited, .unavailable, .quotaExhausted].contains(kind) ? retryAfter : nil,
            resetsAt: reset?.text,
            hint: rule?.hint ?? hint(for: kind, account)
        )
    }

    private static func applies(_ rule: ErrorRule, _ response: HTTPResponse, _ document: JSONDocument?) -> Bool {
        guard rule.statuses.isEmpty || rule.statuses.contains(where: { $0.contains(response.status) }),
            rule.headers.allSatisfy({ response.fields[$0.name]?.hasBytePrefix($0.prefix) ?? false })
        else { return false }
        if let text = rule.text {
            let searched = response.body.span.extracting(first: searchedBytesMax)
            guard searched.index(of: text.utf8.span) != nil else { return false }
        }
        return rule.body.allSatisfy { condition in document.map { condition.holds(of: $0.root) } ?? false }
    }

    private func reset(_ name: String?, at now: Int64) -> PublishedDate? {
        let quota =
            quotas.first { $0.name == name } ?? quotas.max { $0.period(at: now).count < $1.period(at: now).count }
        return quota.map { quota in
            let end = quota.period(at: now - Self.resetLagSeconds).upperBound
            return quota.date(end > now ? end : end + Self.resetLagSeconds)
        }
    }

    private func words(_ document: JSONDocument?, query: String?) -> String? {
        guard let root = document?.root else { return nil }
        for path in errorText {
            guard let text = path.first(from: root)?.scalarText, !text.isEmpty else { continue }
            let plain = TextCleaner.clean(text.utf8.span, markup: .none, bytesMax: Self.searchedBytesMax).text
            let repeated = query.map { [$0, PercentEncoding.encode($0)] } ?? []
            guard !repeated.contains(where: { plain.utf8.span.index(of: $0.utf8.span) != nil }) else { return nil }
            return PlainText(text: plain).cut(bytesMax: Self.quotedBytesMax).text
        }
        return nil
    }

    private static func usual(_ status: Int) -> SearchError.Kind {
        switch status {
        case 401, 403, 407: .unauthorized
        case 408, 425, 500...599: .unavailable
        case 429: .rateLimited
        default: .badResponse
        }
    }

    private func hint(for kind: SearchError.Kind, _ account: AccountAccess) -> String? {
        switch kind {
        case .unauthorized:
            "Set the key again with \(keyCommands(account)), or check accounts.\(self.account) in the configuration."
        case .notConfigured: "Run \(keyCommands(account)), or complete accounts.\(self.account) in the configuration."
        case .rateLimited: "Try again in a moment."
        case .quotaExhausted: "Wait until the quota resets, or search another source."
        case .unavailable: "The source is temporarily unavailable. Try again later."
        case .badResponse: "The answer has an unexpected format. The file of the source may be out of date."
        case .invalidParams: "Change the query or the options."
        case .notFound: "Search for the item again."
        case .forbidden: "Search without \(name)."
        default: nil
        }
    }
}
