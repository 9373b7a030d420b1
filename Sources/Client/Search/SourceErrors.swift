import SearchModel

/// Groups the errors of sources by cause.
package struct SourceErrors {
    package struct Cause {
        package fileprivate(set) var names: [String]
        package fileprivate(set) var error: ClientError
    }

    private static let shortMax = 3
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
        let isOther = Self.account(causes[index].names.first) != Self.account(source)
        causes[index].names += names
        causes[index].error.hint = causes[index].error.hint ?? own.hint
        if isOther, error.code == .init(.notConfigured) { causes[index].error.hint = "Run “searchctl setup”." }
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

    /// The account of the first error about a missing or refused key, or nil.
    var accountWithoutKey: String? {
        causes.first { [.init(.notConfigured), .init(.unauthorized)].contains($0.error.code) }?.names.first
            .map(Self.account)
    }

    /// Returns one line for each cause.
    ///
    /// If `isWhole` is false, returns at most `shortMax` causes, and cuts their lines to `columns` columns.
    package func lines(isWhole: Bool, columns: Int = .max) -> [String] {
        guard !isWhole else { return errors.map(FailureText.line) }
        let lines = errors.prefix(Self.shortMax).map { error in
            let short = ClientError(error.code, error.message, retryAfter: error.retryAfter)
            return FailureText.line(short).cut(columns: columns)
        }
        let others = causes.dropFirst(Self.shortMax).reduce(0) { $0 + $1.names.count }
        return lines + (others > 0 ? ["and \(NumberText.grouped(others)) more failed; --explain shows all"] : [])
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

    static func account(_ source: String?) -> String { String((source ?? "").prefix { $0 != "." }) }

    static func label(_ names: [String]) -> String {
        let accounts = names.grouped(by: account)
        return NumberText.names(
            accounts.map { $0.elements.count == 1 ? $0.elements[0] : "\($0.key) (\($0.elements.count) sources)" }
        )
    }
}
