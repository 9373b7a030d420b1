import EventLoop
import SearchModel

/// The changes of breakers and quotas that belong in the log, each once; pure.
struct LimitNews {
    /// Quotas already reported as used up: by the ledger, or by the source itself.
    private var usedUp: Set<String> = []

    /// A call is over: its breaker may have a new state, and the source may report that its quota is used up.
    mutating func ended(
        _ source: SourceName,
        _ error: SearchError?,
        breaker: Breaker.State?,
        at now: Instant
    ) -> [StateChange] {
        var news: [StateChange] = []
        switch breaker {
        case .open(let until):
            let seconds = max(1, Int(now.duration(to: until).milliseconds / 1000))
            let message = "\(source) is left alone for \(seconds) s: too many calls failed"
            news.append(StateChange(.breaker, of: source, message, isTrouble: true))
        case .closed:
            news.append(StateChange(.breaker, of: source, "calls to \(source) have resumed", isTrouble: false))
        case .halfOpen, nil: break
        }
        if error?.kind == .quotaExhausted {
            let end = error?.resetsAt.map { " until \($0)" } ?? ""
            news += begins(source.text, source, "\(source) says that its quota is used up\(end)")
        } else if error == nil {
            news += ends(source.text, source, "\(source) has quota again")
        }
        return news
    }

    /// A quota was charged.
    mutating func used(_ quota: QuotaFigures, _ key: QuotaKey) -> [StateChange] {
        let (id, source) = ("\(key.owner) \(key.name)", SourceName(key.owner))
        guard quota.left == 0 else { return ends(id, source, "quota \(key.name) of \(key.owner) has calls left again") }
        return begins(
            id,
            source,
            "quota \(key.name) of \(key.owner) is used up until \(quota.resetsAt.text): \(quota.limit) calls"
        )
    }

    private mutating func begins(
        _ id: String,
        _ source: SourceName?,
        _ message: @autoclosure () -> String
    ) -> [StateChange] {
        usedUp.insert(id).inserted ? [StateChange(.quota, of: source, message(), isTrouble: true)] : []
    }

    private mutating func ends(
        _ id: String,
        _ source: SourceName?,
        _ message: @autoclosure () -> String
    ) -> [StateChange] {
        usedUp.remove(id) != nil ? [StateChange(.quota, of: source, message(), isTrouble: false)] : []
    }
}
