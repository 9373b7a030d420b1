import SearchModel

/// Groups the errors of sources by cause.
package struct SourceErrors {
    package struct Cause {
        package fileprivate(set) var names: [String]
        package fileprivate(set) var error: ClientError
    }

    package private(set) var causes: [Cause] = []
    private var named: Set<String> = []
    private let clock: LocalClock

    package init(clock: LocalClock) {
        self.clock = clock
    }

    package var isEmpty: Bool { causes.isEmpty }
    var isOffline: Bool { causes.contains(where: \.error.isOffline) }

    package mutating func add(_ error: ClientError, of source: String?) {
        if let source, !named.insert(source).inserted { return }
        var own = ClientError(error.code, message(of: error, source), hint: error.hint, retryAfter: error.retryAfter)
        if error.isOffline || error.code == .init(.quotaExhausted) || error.code == .init(.rateLimited) {
            own.hint = nil
        }
        if error.isOffline || error.resetsAt != nil { own.retryAfter = nil }
        own.isOffline = error.isOffline
        let names = error.isOffline ? [] : [source].compactMap(\.self)
        let index = causes.firstIndex { cause in
            // Each account needs its own advice about its key.
            let isOther = error.code == .init(.unauthorized) && Self.account(cause.names.first) != Self.account(source)
            return cause.error.message == own.message && !isOther
        }
        guard let index else { return causes.append(Cause(names: names, error: own)) }
        causes[index].names += names
        causes[index].error.hint = causes[index].error.hint ?? own.hint
        causes[index].error.retryAfter = [causes[index].error.retryAfter, own.retryAfter].compactMap(\.self).max()
    }

    package var errors: [ClientError] {
        causes.map { cause in
            var error = cause.error
            let label = Self.label(cause.names)
            error.message = label.isEmpty ? error.message : "\(label): \(error.message)"
            return error
        }
    }

    package func lines(isWhole: Bool) -> [String] {
        errors.map { error in
            guard !isWhole else { return FailureText.line(error) }
            let short = ClientError(error.code, error.message, retryAfter: error.retryAfter)
            return FailureText.line(short).cut(columns: Console.columnsDefault)
        }
    }

    private func message(of error: ClientError, _ source: String?) -> String {
        if error.isOffline { return Finding.offline.message }
        if error.code == .init(.quotaExhausted) {
            let end = error.resetsAt.flatMap(RFC3339.epochSeconds)
            return "quota used up" + (end.map { " until \(clock.time($0))" } ?? "")
        }
        if error.code == .init(.rateLimited) { return "rate limit reached" }
        return (source ?? error.source).map(error.message(without:)) ?? error.message
    }

    private static func account(_ source: String?) -> String { String((source ?? "").prefix { $0 != "." }) }

    static func label(_ names: [String]) -> String {
        let accounts = names.grouped(by: account)
        return NumberText.names(
            accounts.map { $0.elements.count == 1 ? $0.elements[0] : "\($0.key) (\($0.elements.count) sources)" }
        )
    }
}
