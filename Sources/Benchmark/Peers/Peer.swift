import EventLoop

/// A server that runs for this benchmark alone.
struct Peer {
    let name: PeerName
    let process: ChildProcess
    let socketPath: String

    /// How long a server may take until it answers.
    private static let startSecondsMax: Int64 = 20

    /// Waits until it answers a ping: it is ready.
    func awaitReady(pausing pause: Duration) throws(BenchmarkError) {
        let deadline = SystemCall.now + Self.startSecondsMax * 1_000_000_000
        while true {
            if let dialogue = try? Dialogue(socketPath) { return try ping(dialogue) }
            guard process.isRunning else { throw process.failure("ended before it listened") }
            guard SystemCall.now < deadline else { throw process.failure("does not listen on \(socketPath)") }
            SystemCall.pause(pause)
        }
    }

    /// Sends a ping and checks the answer.
    func ping(_ dialogue: Dialogue) throws(BenchmarkError) {
        let (request, framing) = name.ping
        try dialogue.send(request)
        let answer = try dialogue.frame(framing)
        guard case .answer = framing.first(in: answer.span) else {
            throw process.failure("answered a ping with \(String(decoding: answer, as: UTF8.self))")
        }
    }

    /// Loads it over the connections of a scenario, for as long as the options say.
    func load(
        _ traffic: Traffic,
        _ scenario: Scenario,
        _ options: Options,
        warms: Bool = true
    ) throws(BenchmarkError) -> LoadSample {
        var generator = try LoadGenerator(self, traffic, scenario)
        return try generator.measure(warming: warms ? options.plan.warming : .zero, measured: options.plan.measured)
    }
}

/// The servers that are compared.
enum PeerName: String, CaseIterable, Sendable {
    case searchd
    case redis
    case echo

    /// The cheapest request of each, and how its answer is framed.
    var ping: (request: [UInt8], framing: AnswerFraming) {
        switch self {
        case .searchd: (Wire.ping, .jsonRPC)
        case .redis: (RedisWire.command(["PING"]), .line)
        case .echo: ([UInt8(ascii: "\n")], .line)
        }
    }
}
