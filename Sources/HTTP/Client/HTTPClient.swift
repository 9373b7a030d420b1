package import EventLoop

/// An HTTP client that runs libcurl's multi interface on an event loop. An exchange is one call of `fetch`.
package actor HTTPClient: LoopActor {
    package nonisolated let loop: EventLoop
    private let configuration: HTTPClientConfiguration
    private let bodies: BodyBudget
    private var exchanges: [UInt64: HTTPTransfer] = [:]
    private var nextID: UInt64 = 0
    private lazy var connections = makeConnections()
    private var starting: [HTTPTransfer] = []
    private var leaving: [HTTPTransfer] = []
    private var isCallingLibcurl = false
    private var isClosed = false

    package init(loop: EventLoop, configuration: HTTPClientConfiguration) {
        self.loop = loop
        self.configuration = configuration
        bodies = BodyBudget(bytesMax: configuration.bodyBytesMax)
    }

    // MARK: Fetching

    /// Returns the response, whatever its status.
    ///
    /// Throws `cancelled` at once if the task is cancelled.
    package func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchedResponse {
        let hop = try request.firstHop()
        guard !isClosed else { throw .closed }
        let id = nextID
        nextID += 1
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let exchange = HTTPTransfer(
                    id: id,
                    request: request,
                    hop: hop,
                    loop: loop,
                    bodies: bodies,
                    continuation: continuation,
                    timerFired: { [weak self] in self?.onLoop { $0.timerFired(id) } }
                )
                if Task.isCancelled {
                    _ = exchange.end(.failure(.cancelled))
                } else if isClosed {
                    _ = exchange.end(.failure(.closed))
                } else {
                    begin(exchange)
                }
            }
        } onCancel: {
            cancel(id)
        }
        return try outcome.get()
    }

    package var running: Int { exchanges.count }

    package func shutdown() {
        isClosed = true
        for exchange in exchanges.values.sorted(by: { $0.id < $1.id }) { end(exchange, .failure(.closed)) }
        turn()
    }

    private func begin(_ exchange: HTTPTransfer) {
        guard exchanges.count < configuration.exchangesMax else {
            _ = exchange.end(.failure(.overloaded(exchangesMax: configuration.exchangesMax)))
            return
        }
        exchanges[exchange.id] = exchange
        starting.append(exchange)
        turn()
    }

    private nonisolated func cancel(_ id: UInt64) {
        perform { client in
            guard let exchange = client.exchanges[id] else { return }
            client.end(exchange, .failure(.cancelled))
            client.turn()
        }
    }

    private func timerFired(_ id: UInt64) {
        guard let exchange = exchanges[id] else { return }
        let isResolved = exchanges.values.contains { $0.origin == exchange.origin && $0.isResolved }
        guard let error = exchange.timeout(originIsResolved: isResolved) else { return }
        end(exchange, .failure(error))
        turn()
    }

    private func makeConnections() -> CurlHandlePool {
        CurlHandlePool(loop: loop, configuration: configuration) { [weak self] wake in
            self?.onLoop { $0.turn { $0.act(on: wake) } }
        } idleTimeEnded: { [weak self] in
            self?.onLoop { $0.connections.idleTimeEnded(isIdle: $0.exchanges.isEmpty) }
        }
    }

    // MARK: Running libcurl

    /// Passes new and ended transfers to libcurl, which must not be called from its callbacks.
    private func turn(_ enter: (MultiHandle) -> Void = { _ in }) {
        guard !isCallingLibcurl else { return }
        isCallingLibcurl = true
        defer { isCallingLibcurl = false }
        if let multi = connections.multi { enter(multi) }
        while connections.multi?.isUsable != false, detachEnded() || attachStarted() || finishNext() {}
        if connections.multi?.isUsable == false { abandon() }
        if isClosed { connections.close() }
    }

    private func detachEnded() -> Bool {
        guard !leaving.isEmpty else { return false }
        for exchange in leaving { connections.detach(exchange) }
        leaving.removeAll(keepingCapacity: true)
        return true
    }

    private func attachStarted() -> Bool {
        guard !starting.isEmpty else { return false }
        for exchange in starting where !exchange.isFinished { connections.attach(exchange) }
        starting.removeAll(keepingCapacity: true)
        return true
    }

    private func finishNext() -> Bool {
        guard let (exchange, code) = connections.multi?.nextEnded(), let easy = exchange.easy else { return false }
        let end = exchange.hopEnded(code, easy)
        connections.detach(exchange)
        switch end {
        case .outcome(let outcome): self.end(exchange, outcome)
        case .redirected: starting.append(exchange)
        }
        return true
    }

    /// Resumes the caller of `fetch`.
    ///
    /// `detachEnded` removes the exchange from libcurl later.
    private func end(_ exchange: HTTPTransfer, _ outcome: HTTPTransfer.Outcome) {
        guard exchange.end(outcome) else { return }
        exchanges[exchange.id] = nil
        if exchange.easy != nil { leaving.append(exchange) }
        if exchanges.isEmpty && !isClosed { connections.becameIdle() }
    }

    private func abandon() {
        let failed = exchanges.values.filter { $0.easy != nil }.sorted { $0.id < $1.id }
        let error = FetchError(code: .local, message: "the system cannot watch a connection", isRetryable: true)
        for exchange in failed { end(exchange, .failure(error)) }
        _ = detachEnded()
        connections.close()
        if !starting.isEmpty { loop.perform { [weak self] in self?.onLoop { $0.turn() } } }
    }
}

package struct HTTPClientConfiguration: Sendable {
    package var userAgent: String
    /// A file of certificates to trust.
    package var authorities: String?
    package var exchangesMax = 512
    /// The limit for all bodies in memory together.
    ///
    /// The first 64 KiB of each body do not count.
    package var bodyBytesMax = 32 << 20
    package var idleConnectionsMax = 32
    /// Idle connections are closed after this time.
    ///
    /// The next request then loads the certificates, which blocks the loop for 20 ms.
    package var idleAfter = Duration.seconds(600)

    package init(userAgent: String) {
        self.userAgent = userAgent
    }
}
