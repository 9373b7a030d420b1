import SearchModel

/// The sources that failed, gathered by what stopped them, so that one cause is one line; pure.
package struct SourceTroubles {
    private struct Group {
        let cause: String
        /// The cause in the words of the first error, which names what of it is only its own.
        let first: String
        let code: ClientError.Code
        /// Nil when it is about the machine, and not about any source.
        var names: [String]?
        var hint: String?
        var retryAfter: Duration?
    }

    /// Kinds whose cause says what can be done, so that a hint would only repeat it.
    private static let selfEvident: [SearchError.Kind] = [.quotaExhausted, .rateLimited]

    static let networkHint = "Check this machine's network and its name server."

    private var groups: [Group] = []
    private var named: Set<String> = []
    private let clock: LocalClock

    /// - Parameter clock: Tells when quotas reset.
    package init(clock: LocalClock) {
        self.clock = clock
    }

    package var isEmpty: Bool { groups.isEmpty }

    /// Adds what stopped a source, unless something else is known to have stopped it before.
    package mutating func add(_ error: ClientError, of source: String?) {
        if let source, !named.insert(source).inserted { return }
        let cause = cause(of: error, source)
        let isSelfEvident = error.isOffline || Self.selfEvident.contains { ClientError.Code($0) == error.code }
        let retryAfter = error.isOffline || error.resetsAt != nil ? nil : error.retryAfter
        let common = Self.withoutHost(cause)
        // Each account has a key of its own.
        let isOwn = error.code == .init(.unauthorized)
        let index =
            groups.firstIndex { group in
                let known = group.names?.first ?? ""
                return group.cause == common && (!isOwn || Self.account(known) == Self.account(source ?? ""))
            } ?? groups.endIndex
        if index == groups.endIndex {
            groups.append(
                Group(cause: common, first: cause, code: error.code, names: error.isOffline ? nil : [])
            )
        }
        if let source { groups[index].names?.append(source) }
        groups[index].hint = groups[index].hint ?? (isSelfEvident ? nil : error.hint)
        groups[index].retryAfter = [groups[index].retryAfter, retryAfter].compactMap(\.self).max()
    }

    /// Sources that failed for one reason, and the error without their names.
    package struct Cause {
        package let names: [String]
        package let error: ClientError
    }

    /// In the order in which they came.
    var causes: [Cause] {
        groups.map { group in
            let isShared = (group.names ?? []).count > 1
            let error = ClientError(
                group.code,
                isShared ? group.cause : group.first,
                // It is hardly the name when several can't be resolved.
                hint: isShared && group.cause != group.first ? Self.networkHint : group.hint,
                retryAfter: group.retryAfter
            )
            return Cause(names: group.names ?? [], error: error)
        }
    }

    /// One error for each cause.
    package var errors: [ClientError] {
        causes.map { cause in
            var error = cause.error
            let label = Self.label(cause.names)
            error.message = label.isEmpty ? error.message : "\(label): \(error.message)"
            return error
        }
    }

    /// A line for each cause, of at most 80 columns unless it is to be whole: `status` shows the rest.
    package func lines(isWhole: Bool) -> [String] {
        errors.map { error in
            guard !isWhole else { return FailureText.line(error) }
            let line = FailureText.line(ClientError(error.code, error.message, retryAfter: error.retryAfter))
            return LineWrap.cut(Cell.cells(line), columns: Console.columnsDefault).map(\.text).joined()
        }
    }

    private func cause(of error: ClientError, _ source: String?) -> String {
        if error.isOffline { return "this machine is offline" }
        if error.code == .init(.quotaExhausted) {
            let end = error.resetsAt.flatMap(RFC3339.epochSeconds)
            return "quota used up" + (end.map { " until \(clock.time($0))" } ?? "")
        }
        if error.code == .init(.rateLimited) { return "rate limit reached" }
        // The line names the source already.
        return (source ?? error.source).map(error.message(without:)) ?? error.message
    }

    /// Hosts that can't be resolved have one cause, whatever their names; anything else is a cause as it stands.
    static func withoutHost(_ cause: String) -> String {
        guard cause.hasPrefix("the name "), let end = cause.firstRange(of: " can't be resolved") else { return cause }
        return "the names of their servers can't be resolved" + cause[end.upperBound...]
    }

    private static func account(_ source: String) -> String { String(source.prefix { $0 != "." }) }

    /// `naver (8 sources), itunes.app`: an account stands for its sources when several are meant.
    private static func label(_ names: [String]) -> String {
        var accounts: [(name: String, sources: [String])] = []
        for name in names {
            let account = account(name)
            if let index = accounts.firstIndex(where: { $0.name == account }) {
                accounts[index].sources.append(name)
            } else {
                accounts.append((account, [name]))
            }
        }
        return FigureText.names(
            accounts.map { $0.sources.count == 1 ? $0.sources[0] : "\($0.name) (\($0.sources.count) sources)" }
        )
    }
}
