import EventLoop
import Glibc

/// Loads one peer over many connections from one thread, and checks every answer.
///
/// Each connection sends a batch, waits for all of its answers, and sends the next: the peer always has work, and never
/// more than the scenario says.
struct LoadGenerator {
    /// The timeout of the last answers.
    private static let drainSecondsMax: Int64 = 10

    private let poller: EpollPoller
    private let peer: Peer
    private let traffic: Traffic
    private let scenario: Scenario
    private var connections: [LoadConnection] = []
    private let input = InputBuffer()
    private var output: [UInt8] = []
    /// Every request so far has an id below it, from 1.
    private var nextID = 1
    private var tally: AnswerTally

    /// Requests sent so far, the unmeasured ones too.
    var requestsSent: Int { nextID - 1 }

    /// Connects; nothing is sent yet.
    init(_ peer: Peer, _ traffic: Traffic, _ scenario: Scenario) throws(BenchmarkError) {
        self.peer = peer
        self.traffic = traffic
        self.scenario = scenario
        tally = AnswerTally(traffic)
        poller = try BenchmarkError.wrapping { () throws(SystemError) in try EpollPoller() }
        for index in 0..<scenario.connections {
            let connection = LoadConnection(try SystemCall.connect(peer.socketPath))
            connections.append(connection)
            try BenchmarkError.wrapping { () throws(SystemError) in
                try poller.add(connection.socket.raw, .readable, token: UInt64(index))
            }
        }
    }

    /// Loads the peer for `warming` and then for `measured`, which the sample covers; may be called once.
    ///
    /// - Parameters:
    ///   - warming: What runs before it is measured.
    ///   - measured: What is measured.
    ///   - thread: The name of a thread of the peer whose time is measured separately.
    /// - Returns: What was measured.
    /// - Throws: When the peer does not answer, or closes a connection.
    mutating func measure(
        warming: Duration,
        measured: Duration,
        thread: String? = nil
    ) throws(BenchmarkError) -> LoadSample {
        for connection in connections { try send(on: connection) }
        try serve(until: SystemCall.now + warming.saturatingNanoseconds, sending: true)
        tally.restart()
        let before = try times(thread)
        try serve(until: before.now + measured.saturatingNanoseconds, sending: true)
        let after = try times(thread)
        var sample = LoadSample()
        sample.answers = tally.right
        sample.latencies = tally.latencies
        sample.elapsed = after.now - before.now
        sample.serverTime = after.server - before.server
        sample.threadTime = after.thread - before.thread
        sample.generatorTime = after.generator - before.generator
        sample.residentBytes = try peer.process.figures.residentBytes()
        // What comes later is checked too, and not counted as measured.
        try drain()
        sample.wrong = tally.wrong
        sample.firstWrong = tally.firstWrong
        return sample
    }

    /// Sends one batch on every connection at once, and waits for all the answers; may be called once.
    mutating func burst() throws(BenchmarkError) -> BurstSample {
        let start = SystemCall.now
        for connection in connections { try send(on: connection) }
        try drain()
        var sample = BurstSample()
        sample.first = (tally.arrivals?.lowerBound ?? start) - start
        sample.last = (tally.arrivals?.upperBound ?? start) - start
        sample.wrong = tally.wrong
        sample.firstWrong = tally.firstWrong
        return sample
    }

    /// Receives the missing answers, and sends nothing more.
    private mutating func drain() throws(BenchmarkError) {
        try serve(until: SystemCall.now + Self.drainSecondsMax * 1_000_000_000, sending: false)
        guard tally.waiting == 0 else {
            throw peer.process.failure("left \(tally.waiting) requests without an answer")
        }
    }

    private func times(
        _ thread: String?
    ) throws(BenchmarkError) -> (now: Int64, server: Int64, thread: Int64, generator: Int64) {
        let server = try peer.process.figures.processorTime()
        let ofThread = thread.map { peer.process.figures.processorTime(ofThread: $0) } ?? 0
        let generator = try ProcessFigures(process: getpid()).processorTime()
        return (SystemCall.now, server, ofThread, generator)
    }

    /// Receives until the deadline, or until no answer is missing.
    private mutating func serve(until deadline: Int64, sending: Bool) throws(BenchmarkError) {
        var now = SystemCall.now
        while now < deadline, tally.waiting > 0 {
            var failure: BenchmarkError?
            poller.wait(.atMost(nanoseconds: deadline - now)) { token, _ in
                guard failure == nil else { return }
                do throws(BenchmarkError) {
                    try receive(on: connections[Int(token)], sending: sending)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            now = SystemCall.now
        }
    }

    /// Reads what has arrived, and sends the next batch when this one is answered.
    private mutating func receive(on connection: LoadConnection, sending: Bool) throws(BenchmarkError) {
        guard let end = input.receive(from: connection.socket.raw, after: connection.partial) else {
            throw peer.process.failure("closed a connection in the middle of the load")
        }
        let now = SystemCall.now
        // Shares the buffer's memory, and only until this returns: the next read finds it unshared.
        let bytes = input.bytes
        let taken = try tally.take(bytes.span.extracting(first: end), for: &connection.batch, now: now)
        connection.partial.removeAll(keepingCapacity: true)
        if taken < end { connection.partial.append(contentsOf: bytes[taken..<end]) }
        if connection.batch.isAnswered, sending { try send(on: connection) }
    }

    /// Sends a batch.
    ///
    /// All answers to the last one have been read, so the socket is empty and takes it whole.
    private mutating func send(on connection: LoadConnection) throws(BenchmarkError) {
        output.removeAll(keepingCapacity: true)
        for id in nextID..<nextID + scenario.depth { traffic.appendRequest(id: id, to: &output) }
        connection.batch.send(firstID: nextID, depth: scenario.depth, now: SystemCall.now)
        nextID += scenario.depth
        tally.sent(scenario.depth)
        // The count is that of the array.
        let count = unsafe Glibc.send(connection.socket.raw, output, output.count, Int32(MSG_NOSIGNAL))
        guard count == output.count else {
            throw peer.process.failure("took \(count) of \(output.count) bytes of its requests")
        }
    }
}
