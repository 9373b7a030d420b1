package import EventLoop

/// The Valkey or Redis server or cluster that hosts share.
///
/// Runs scripts, and receives notices from other hosts.
///
/// `@unchecked Sendable`, because handlers keep a reference and run only on the loop.
package final class SharedServer: @unchecked Sendable {
    package struct Figures: Equatable, Sendable {
        package var name: String?
        package var address: String
        package var trouble: SharedServerError?
        package var hosts = 0
        package var commands = 0
        package var sharedCalls = 0
        /// Calls that this host avoided, because another host had the page or made the call.
        package var savedCalls = 0
        package var refusedCalls = 0
    }

    /// The time between two beats.
    ///
    /// A beat reports that this host is running.
    private static let beatPause = Duration.seconds(1)
    private static let hostsPerSecond = 1000
    private static let troubleMin = Duration.milliseconds(300)

    let loop: EventLoop
    let settings: FleetSettings
    let host: String
    private var home: SharedServerNode?
    private var nodes: [SharedServerAddress: SharedServerNode] = [:]
    private var slots: [Int: SharedServerAddress] = [:]
    private var notices: SharedServerConnection?
    private var isListening = false
    private(set) var isClosed = false
    private var noticePause = Duration.milliseconds(50)
    private var counts: Figures
    private var isTroubleReported = false
    private var reportedConnections = (commands: 0, notices: 0)
    private var noticeConnections = 0
    private let report: @Sendable (_ trouble: SharedServerError?, _ figures: Figures) -> Void
    private var receive: @Sendable (Notice) -> Void = { _ in }
    private var connected: @Sendable () -> Void = {}

    package init(
        _ settings: FleetSettings,
        on loop: EventLoop,
        report: @escaping @Sendable (_ trouble: SharedServerError?, _ figures: Figures) -> Void
    ) {
        (self.settings, self.loop, self.report) = (settings, loop, report)
        host = String(UInt64.random(in: 1 << 63...UInt64.max), radix: 16)
        counts = Figures(address: settings.address.description)
    }

    package var figures: Figures {
        var figures = counts
        (figures.name, figures.trouble) = (home?.facts?.name, trouble)
        return figures
    }

    var trouble: SharedServerError? {
        guard let home else { return .closed }
        return home.trouble
            ?? (isListening ? nil : SharedServerError("the shared server sends no notices yet", hint: "Wait a second."))
    }

    func run(of key: String) -> String { node(for: key)?.facts?.run ?? "" }

    func count(_ change: (inout Figures) -> Void) { change(&counts) }

    /// `receive` is called with each notice, and `connected` after each new connection.
    func start(receive: @escaping @Sendable (Notice) -> Void, connected: @escaping @Sendable () -> Void) {
        (self.receive, self.connected) = (receive, connected)
        let home = SharedServerNode(settings.address, settings, on: loop) { [weak self] in self?.changed() }
        self.home = home
        home.connect()
        listen()
        beat()
    }

    package func close() {
        isClosed = true
        home?.close()
        for node in nodes.values { node.close() }
        notices?.close(.closed)
    }

    private func changed() {
        guard !isClosed else { return }
        guard trouble == nil else {
            _ = loop.schedule(at: loop.now.advanced(by: Self.troubleMin)) { [weak self] in self?.reportTrouble() }
            return
        }
        let connections = (home?.connectionCount ?? 0, noticeConnections)
        if connections != reportedConnections {
            // The first connection is reported, too, because the report shows the server's name.
            if reportedConnections == (0, 0) { isTroubleReported = true }
            reportedConnections = connections
            connected()
        }
        guard isTroubleReported else { return }
        isTroubleReported = false
        report(nil, figures)
    }

    private func reportTrouble() {
        guard !isClosed, !isTroubleReported, let trouble else { return }
        isTroubleReported = true
        report(trouble, figures)
    }

    private func beat() {
        guard !isClosed else { return }
        let pause = max(Self.beatPause, .seconds(counts.hosts / Self.hostsPerSecond))
        let life = Int(pause.components.seconds) * 3
        let call = ScriptCall(.beat, keys: ["\(settings.prefix):hosts"], [host, "\(life)"])
        Task(executorPreference: loop) {
            if case .success(let reply) = await self.run(call, isPatient: true) { self.counts.hosts = reply.int ?? 0 }
            _ = self.loop.schedule(at: self.loop.now.advanced(by: pause)) { [weak self] in self?.beat() }
        }
    }

    // MARK: Scripts

    /// Runs a script; fails if the server does not answer within `settings.answerMax`.
    ///
    /// A patient call may take a second, because no search waits for it.
    func run(_ call: ScriptCall, isPatient: Bool = false) async -> Result<Reply, SharedServerError> {
        for _ in 0..<3 {
            if let trouble, !isPatient { return .failure(trouble) }
            guard let node = node(for: call.keys[0]) else { return .failure(.closed) }
            counts.commands += 1
            let outcome: Result<Reply, SharedServerError> = await withCheckedContinuation { continuation in
                node.run(call, isPatient: isPatient) { continuation.resume(returning: $0) }
            }
            guard case .success(.error(let moved)) = outcome else { return outcome }
            guard follow(moved) else { break }
        }
        return .failure(SharedServerError("the cluster is moving its records", hint: "Try again in a second."))
    }

    private func node(for key: String) -> SharedServerNode? {
        guard !slots.isEmpty, let address = slots[KeySlot.slot(of: key)] else { return home }
        return nodes[address] ?? home
    }

    /// Follows an error such as `MOVED 3999 127.0.0.1:6381`.
    ///
    /// Returns false for other errors.
    private func follow(_ moved: String) -> Bool {
        let words = moved.split(separator: " ")
        guard words.count >= 3, let slot = Int(words[1]), let colon = words[2].lastIndex(of: ":") else { return false }
        let port = String(words[2][words[2].index(after: colon)...])
        let address = SharedServerAddress.network(host: String(words[2][..<colon]), port: port)
        slots[slot] = address
        guard nodes[address] == nil else { return true }
        let node = SharedServerNode(address, settings, on: loop) { [weak self] in self?.connected() }
        nodes[address] = node
        node.connect()
        return true
    }

    // MARK: Notices

    var channel: String { "\(settings.prefix):notices" }
    var hostChannels: String { "\(settings.prefix):host:" }

    private func listen() {
        guard !isClosed else { return }
        SharedServerConnection.open(to: settings.address, on: loop) { [weak self] reply in
            self?.received(reply)
        } ended: { [weak self] _ in
            self?.listenAgain()
        } then: { [weak self] connection in
            guard let self, !isClosed else { return connection.close(.closed) }
            notices = connection
            let words = RedisCommand("SUBSCRIBE", channel, hostChannels + host)
            for command in Handshake(settings: settings).signIn + [words] { connection.send(command) { _ in } }
        }
    }

    private func listenAgain() {
        (notices, isListening) = (nil, false)
        changed()
        let wait = noticePause * Double.random(in: 0.5...1)
        noticePause = min(noticePause * 2, .milliseconds(500))
        _ = loop.schedule(at: loop.now.advanced(by: wait)) { [weak self] in self?.listen() }
    }

    private func received(_ reply: Reply) {
        switch reply[0].text {
        case "subscribe":
            guard !isListening else { return }
            (isListening, noticePause) = (true, .milliseconds(50))
            noticeConnections += 1
            changed()
        case "message":
            if case .bytes(let message) = reply[2], let notice = Notice(message, from: host) { receive(notice) }
        default:
            if case .error = reply { notices?.close(.closed) }
        }
    }
}

/// A message that the shared server passes to all hosts or to one host.
enum Notice: Equatable, Sendable {
    /// The shared server had no record of the account. The value is the key of the record.
    case lost(String)
    case pause(account: String, owner: String, wait: Duration, reason: String, resetsAt: String?)
    case breaker(account: String, source: String, wait: Duration)
    case outcome(page: String, kind: String, left: Duration, [UInt8])

    /// Returns nil if the message is malformed, or if this host sent it.
    init?(_ bytes: [UInt8], from host: String) {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("lost", 2): self = .lost(words[1])
        case ("pause", 7) where words[4] != host:
            guard let wait = Int(words[3]) else { return nil }
            let reset = words[6] == "-" ? nil : words[6]
            self = .pause(
                account: words[1],
                owner: words[2],
                wait: .microseconds(wait),
                reason: words[5],
                resetsAt: reset
            )
        case ("breaker", 5) where words[4] != host:
            guard let wait = Int(words[3]) else { return nil }
            self = .breaker(account: words[1], source: words[2], wait: .microseconds(wait))
        case ("outcome", 4):
            guard let left = Int(words[3]) else { return nil }
            let body = Array(bytes.dropFirst(end + 1))
            self = .outcome(page: words[1], kind: words[2], left: .milliseconds(left), body)
        default: return nil
        }
    }
}

/// Finds the slot of a key in a cluster.
enum KeySlot {
    static func slot(of key: String) -> Int {
        var bytes = Array(key.utf8)[...]
        if let open = bytes.firstIndex(of: UInt8(ascii: "{")),
            let close = bytes[open...].firstIndex(of: UInt8(ascii: "}")), close > open + 1
        {
            bytes = bytes[(open + 1)..<close]
        }
        return Int(bytes.reduce(UInt16(0), add) % 16_384)
    }

    private static func add(_ sum: UInt16, _ byte: UInt8) -> UInt16 {
        (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
    }
}
