import EventLoop

/// Connects to one server, checks the server, and reconnects after increasing delays.
///
/// `@unchecked Sendable`, because handlers keep a reference and run only on the loop.
final class SharedServerNode: @unchecked Sendable {
    static let connectMax = Duration.seconds(1)
    private static let pauseMin = Duration.milliseconds(50)
    /// A quarter of the two seconds in which hosts report their usage, so every host reconnects in time.
    private static let pauseMax = Duration.milliseconds(500)
    private static let checkPause = Duration.milliseconds(500)
    private static let slowCheckPause = Duration.milliseconds(20)

    let address: SharedServerAddress
    private let settings: FleetSettings
    private let loop: EventLoop
    private let changed: @Sendable () -> Void
    private var connection: SharedServerConnection?
    private var digests: [Script: [UInt8]] = [:]
    private var pause = SharedServerNode.pauseMin
    private var isClosed = false
    private(set) var facts: SharedServerFacts?
    private(set) var connectionCount = 0
    private(set) var trouble: SharedServerError? = SharedServerError(
        "the shared server is not connected yet",
        hint: "Try again in a second."
    )
    {
        didSet { if oldValue != nil, trouble == nil { changed() } }
    }

    init(
        _ address: SharedServerAddress,
        _ settings: FleetSettings,
        on loop: EventLoop,
        changed: @escaping @Sendable () -> Void
    ) {
        (self.address, self.settings, self.loop, self.changed) = (address, settings, loop, changed)
    }

    func close() {
        isClosed = true
        connection?.close(.closed)
        connection = nil
    }

    // MARK: Connecting

    func connect() {
        SharedServerConnection.open(to: address, on: loop) { [weak self] in
            self?.lost($0)
        } then: { [weak self] connection in
            guard let self, !isClosed else { return connection.close(.closed) }
            self.connection = connection
            greet(connection)
        }
    }

    private func greet(_ connection: SharedServerConnection) {
        let handshake = Handshake(settings: settings)
        let replies = Locked<[Reply]>([])
        for command in handshake.commands {
            connection.send(command) { [weak self] reply in
                guard let self, let reply else { return }
                let all = replies.withLock { all in
                    all.append(reply)
                    return all
                }
                if all.count == handshake.commands.count { greeted(connection, handshake.facts(all)) }
            }
        }
        _ = loop.schedule(at: loop.now.advanced(by: Self.connectMax)) {
            if replies.withLock({ $0.count }) < handshake.commands.count { connection.close(.slow) }
        }
    }

    private func greeted(
        _ connection: SharedServerConnection,
        _ outcome: Result<(SharedServerFacts, [Script: [UInt8]]), SharedServerError>
    ) {
        switch outcome {
        case .failure(let trouble): connection.close(trouble)
        case .success(let (facts, digests)):
            (self.facts, self.digests) = (facts, digests)
            connectionCount += 1
            check(connection)
        }
    }

    private func lost(_ reason: SharedServerError) {
        connection = nil
        guard !isClosed else { return }
        facts = nil
        trouble = reason
        changed()
        let wait = pause * Double.random(in: 0.5...1)
        pause = min(pause * 2, Self.pauseMax)
        _ = loop.schedule(at: loop.now.advanced(by: wait)) { [weak self] in self?.connect() }
    }

    // MARK: Checking

    private func check(_ connection: SharedServerConnection) {
        let (begun, answered) = (loop.now, Locked(false))
        let key = "\(settings.prefix):format"
        send(ScriptCall(.claim, keys: [key], [settings.prefix, Handshake.format]), on: connection) {
            [weak self] reply in
            answered.withLock { $0 = true }
            guard let self, self.connection === connection, let reply else { return }
            let isSlow = begun.duration(to: loop.now) > settings.answerMax
            if case .error(let text) = reply, !text.hasPrefix("MOVED ") {
                trouble = Handshake(settings: settings).trouble(text)
            } else if !isSlow {
                pause = Self.pauseMin
                trouble = nil
                return
            } else if trouble == nil {
                trouble = .slow
            }
            let wait = isSlow ? Self.slowCheckPause : Self.checkPause
            _ = loop.schedule(at: loop.now.advanced(by: wait)) { [weak self] in self?.check(connection) }
        }
        _ = loop.schedule(at: begun.advanced(by: Self.connectMax)) {
            if !answered.withLock({ $0 }) { connection.close(.slow) }
        }
    }

    private func mark(_ trouble: SharedServerError) {
        guard self.trouble == nil, let connection else { return }
        self.trouble = trouble
        changed()
        check(connection)
    }

    // MARK: Scripts

    /// No search waits for a patient call, so it may take a second and is also sent to a slow server.
    func run(
        _ call: ScriptCall,
        isPatient: Bool,
        _ done: @escaping @Sendable (Result<Reply, SharedServerError>) -> Void
    ) {
        guard trouble == nil || isPatient && trouble == .slow, facts != nil, let connection else {
            return done(.failure(trouble ?? .closed))
        }
        let limit = isPatient ? Self.connectMax : settings.answerMax
        let pending = Locked<(@Sendable (Result<Reply, SharedServerError>) -> Void)?>(done)
        let timer = loop.schedule(at: loop.now.advanced(by: limit)) { [weak self] in
            guard
                let done = pending.withLock({ done in
                    defer { done = nil }; return done
                })
            else { return }
            if !isPatient { self?.mark(.slow) }
            done(.failure(.slow))
        }
        send(call, on: connection) { [weak self] reply in
            self?.loop.cancel(timer)
            guard
                let done = pending.withLock({ done in
                    defer { done = nil }; return done
                })
            else { return }
            guard let reply else { return done(.failure(.closed)) }
            guard case .error(let text) = reply, !text.hasPrefix("MOVED "), let self else {
                return done(.success(reply))
            }
            let trouble = Handshake(settings: settings).trouble(text)
            mark(trouble)
            done(.failure(trouble))
        }
    }

    private func send(
        _ call: ScriptCall,
        on connection: SharedServerConnection,
        _ answer: @escaping SharedServerConnection.Answer
    ) {
        connection.send(call.command(digests[call.script])) { reply in
            // NOSCRIPT means that the server has forgotten its scripts.
            guard case .error(let text) = reply, text.hasPrefix("NOSCRIPT") else { return answer(reply) }
            connection.send(call.command(nil), answer)
        }
    }
}
