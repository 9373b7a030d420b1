import EventLoop
package import JSON
import RPC
import SearchModel

/// What the daemon knows of an item.
package struct ItemRecord {
    package let hit: JSONCursor
    /// Whether it is the source's own record.
    package let isFull: Bool
    /// Whether the source was asked for it just now.
    package let isNew: Bool
    /// Seconds since it was fetched.
    package let age: Double
    package let isSaved: Bool
    /// Why the source did not give its record, or a newer one.
    package let failure: ClientError?

    /// Nil for a result without a hit.
    package init?(_ result: JSONCursor) {
        guard let hit = result[.hit] else { return nil }
        self.hit = hit
        isFull = result[.full]?.bool ?? false
        isNew = result[.cache]?.word(CacheUse.self).map { !$0.isCached } ?? false
        age = result[.age]?.double ?? 0
        isSaved = result[.saved]?.bool ?? false
        failure = result[.error].map(RemoteFailure.read)
    }
}

/// How items are looked up, as the command line asks for it.
struct ItemQuestion {
    /// What the daemon may take beyond its timeout.
    private static let margin = Duration.seconds(5)

    private let arguments: Arguments

    /// - Throws: `usage` for what contradicts itself.
    init(_ arguments: Arguments) throws(ClientError) {
        for other in [CommandOption.maxAge, .offline] where arguments.has(.fresh) && arguments.has(other) {
            throw ClientError(.usage, "--fresh and --\(other.name) exclude each other")
        }
        self.arguments = arguments
    }

    /// Asks for all of them at once; meanwhile the line of progress says whom.
    ///
    /// - Throws: When the daemon can't be reached, or does not answer.
    func ask(
        _ ids: [String],
        _ connector: Connector,
        _ progress: ProgressLine
    ) throws(ClientError) -> [Result<ItemRecord, ClientError>] {
        var sources: [String] = []
        for id in ids {
            let source = String(id.prefix { $0 != ":" })
            if !sources.contains(where: { $0.hasSameBytes(as: source) }) { sources.append(source) }
        }
        progress.show("asking \(FigureText.names(sources))…")
        defer { progress.clear() }
        let timeout = arguments.duration(.timeout) ?? SearchParameters.timeoutDefault
        return try connector.withExchange { exchange throws(ClientError) in
            for (index, id) in ids.enumerated() {
                try exchange.send(line: RequestLine.request(index, .lookup, params: params(id)))
            }
            let deadline = Instant.now.advanced(by: timeout + Self.margin)
            var outcomes: [Int: Result<ItemRecord, ClientError>] = [:]
            while outcomes.count < ids.count {
                guard let line = try nextLine(&exchange, until: deadline, progress) else { throw Connector.lost }
                switch try Message.read(line) {
                case .result(let index, let result):
                    outcomes[index] = ItemRecord(result).map { .success($0) } ?? .failure(Self.empty)
                case .failure(let index?, let error) where error.code != .init(.shuttingDown):
                    outcomes[index] = .failure(error)
                case .failure(id: _, let error): throw error
                case .notification: continue
                }
            }
            return ids.indices.map { outcomes[$0] ?? .failure(Self.empty) }
        }
    }

    private func nextLine(
        _ exchange: inout DaemonConnection,
        until deadline: Instant,
        _ progress: ProgressLine
    ) throws(ClientError) -> [UInt8]? {
        if let dueAt = progress.dueAt {
            do throws(ClientError) {
                return try exchange.nextLine(until: dueAt)
            } catch {
                guard error.code == .init(.timeout) else { throw error }
                progress.showPending()
            }
        }
        return try exchange.nextLine(until: deadline)
    }

    private func params(_ id: String) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.id, id)
            writer.member(.maxAge, maxAge)
            writer.member(.offline, flag(.offline))
            writer.member(.timeout, arguments.duration(.timeout).map { Int($0.milliseconds) })
            writer.member(.raw, flag(.showRaw))
            writer.member(.private, flag(.showPrivate))
        }
    }

    private var maxAge: Int? {
        arguments.has(.fresh) ? 0 : arguments.duration(.maxAge).map { Int($0.components.seconds) }
    }

    private func flag(_ option: CommandOption) -> Bool? { arguments.has(option) ? true : nil }

    private static let empty = ClientError(
        .protocolViolated,
        "what listens on the socket sent an answer without a hit",
        hint: "It may be a searchd of another version; “searchctl doctor” tells."
    )
}
