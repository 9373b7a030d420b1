package import EventLoop

/// Fetches over HTTP: libcurl's multi interface driven by the loop that is also this actor's executor.
///
/// Connections are kept and shared between requests, HTTP/2 streams too. What runs at once is bounded. A client without
/// exchanges has no timer set but the one that closes its connections.
///
/// A client that is let go without `shutdown` closes its connections in the loop's next turn, if there is one. It has
/// no exchanges then: each of them keeps its caller, and thereby the client, waiting.
package actor HTTPClient: LoopActor {
    package nonisolated let loop: EventLoop
    private let configuration: HTTPClientConfiguration
    private let bodies: BodyBudget
    private var exchanges: [UInt64: HTTPTransfer] = [:]
    private var nextID: UInt64 = 0
    /// Made by the first exchange, since it calls back into this actor.
    private lazy var connections = makeConnections()
    /// They are started and are given to libcurl in the turn under way, or the next.
    private var starting: [HTTPTransfer] = []
    /// They have ended and are taken from libcurl in the turn under way, or the next.
    private var leaving: [HTTPTransfer] = []
    private var isTurning = false
    private var isClosed = false

    package init(loop: EventLoop, configuration: HTTPClientConfiguration) {
        self.loop = loop
        self.configuration = configuration
        bodies = BodyBudget(bytesMax: configuration.bodyBytesMax)
    }

    // MARK: Fetching

    /// Fetches, and answers with whatever status the server gives.
    ///
    /// A cancelled task gets `cancelled` at once, and its connection is dropped or its HTTP/2 stream reset; the error's
    /// `wasSent` tells whether the server may have seen the request.
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
                // On the way here the handler below may have run, or all may have been closed.
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

    /// How many exchanges run.
    package var running: Int { exchanges.count }

    /// Ends every exchange with `closed` and closes all connections; later calls of `fetch` get `closed` too.
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
        guard loop.isCurrent else {
            loop.perform { self.cancel(id) }
            return
        }
        onLoop { client in
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

    // MARK: Turns

    /// One entry into libcurl and everything that follows from it.
    ///
    /// libcurl must not be called from its own callbacks. What happens in one (a caller told that its request leaves
    /// may cancel another, or ask for a third) finds `isTurning` set, notes its wish, and the turn under way sees to
    /// it.
    private func turn(_ enter: (MultiHandle) -> Void = { _ in }) {
        guard !isTurning else { return }
        isTurning = true
        defer { isTurning = false }
        if let multi = connections.multi { enter(multi) }
        // Once it has failed libcurl takes nothing more; transfers that start afterwards get the next handle.
        while connections.multi?.isUsable != false, takeOut() || putIn() || hearEnded() {}
        if connections.multi?.isUsable == false { abandon() }
        if isClosed { connections.close() }
    }

    /// Takes ended exchanges from libcurl; true when there were any, as for all three.
    private func takeOut() -> Bool {
        guard !leaving.isEmpty else { return false }
        for exchange in leaving { connections.detach(exchange) }
        leaving.removeAll(keepingCapacity: true)
        return true
    }

    /// Gives libcurl those that are started.
    private func putIn() -> Bool {
        guard !starting.isEmpty else { return false }
        for exchange in starting where !exchange.isFinished { connections.attach(exchange) }
        starting.removeAll(keepingCapacity: true)
        return true
    }

    /// Hears from libcurl which have ended.
    private func hearEnded() -> Bool {
        guard let (exchange, code) = connections.multi?.nextEnded(), let easy = exchange.easy else { return false }
        let end = exchange.hopEnded(code, easy)
        connections.detach(exchange)
        switch end {
        case .outcome(let outcome): self.end(exchange, outcome)
        case .redirected: starting.append(exchange)
        }
        return true
    }

    /// Resumes the caller; libcurl drops the exchange in the turn that follows.
    private func end(_ exchange: HTTPTransfer, _ outcome: HTTPTransfer.Outcome) {
        guard exchange.end(outcome) else { return }
        exchanges[exchange.id] = nil
        if exchange.easy != nil { leaving.append(exchange) }
        if exchanges.isEmpty && !isClosed { connections.becameIdle() }
    }

    /// The kernel or libcurl has failed: nothing in the multi handle can go on, but the next request gets a new one.
    private func abandon() {
        let failed = exchanges.values.filter { $0.easy != nil }.sorted { $0.id < $1.id }
        let error = FetchError(code: .local, message: "the system refuses to watch a connection", isRetryable: true)
        for exchange in failed { end(exchange, .failure(error)) }
        _ = takeOut()
        connections.close()
        if !starting.isEmpty { loop.perform { [weak self] in self?.onLoop { $0.turn() } } }
    }
}

/// What all requests of one client have in common.
package struct HTTPClientConfiguration: Sendable {
    /// Sent with every request that has no User-Agent of its own; some services ask for a contact in it.
    package var userAgent: String
    /// A PEM file of authorities trusted instead of the system's bundle: a test's, or a company's proxy's.
    ///
    /// Where both are needed, one file with both in it is given.
    package var authorities: String?
    /// How many exchanges run at once before further ones are refused; over HTTP/1.1 each has a connection of its own.
    package var exchangesMax = 512
    /// The most bytes that the bodies of all responses take together, from their first byte until the caller drops the
    /// response, not counting the first 64 KiB of each.
    package var bodyBytesMax = 32 << 20
    /// How many idle connections are kept.
    package var idleConnectionsMax = 32
    /// After how long without any exchange all connections are closed and their memory is given back.
    ///
    /// The authorities read for TLS are forgotten too, and reading the system's bundle again takes about 20 ms of the
    /// loop's time; so this is long.
    package var idleAfter = Duration.seconds(600)

    package init(userAgent: String) {
        self.userAgent = userAgent
    }
}
