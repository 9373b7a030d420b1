import CPlatform
import EventLoop
import Glibc

struct LoadSample: Sendable {
    var answers = 0
    var wrong = 0
    var firstWrong: String?
    /// All times are in nanoseconds.
    var elapsed: Int64 = 0
    var latencies = Latencies()
    var serverTime: Int64 = 0
    var generatorTime: Int64 = 0

    var answersPerSecond: Double { Double(answers) * 1e9 / Double(max(elapsed, 1)) }
    var timePerAnswer: Double { Double(serverTime) / Double(max(answers, 1)) }
    /// If the value is near 1, a faster load generator would measure more answers per second.
    var generatorLoad: Double { Double(generatorTime) / Double(max(elapsed, 1)) }

    static func failure(_ samples: [LoadSample], _ name: String) -> String? {
        let wrong = samples.reduce(0) { $0 + $1.wrong }
        let first = samples.lazy.compactMap(\.firstWrong).first ?? ""
        return wrong == 0 ? nil : "\(wrong) wrong answers of \(name), the first: \(first)"
    }
}

/// Sends requests over many connections from one thread and checks every answer.
final class LoadGenerator {
    private final class Connection {
        let socket: FileDescriptor
        var pending = Traffic.Pending()
        var sentAt: Int64 = 0
        var isWaiting = false
        var partial: [UInt8] = []

        init(_ socket: consuming FileDescriptor) { self.socket = socket }
    }

    private static let drainMax: Int64 = 10_000_000_000

    private let server: Server
    private let poller: EpollPoller
    private var connections: [Connection] = []
    private var input = [UInt8](repeating: 0, count: Traffic.answerBytesMax)
    private var output: [UInt8] = []
    private var waiting = 0
    private var sample = LoadSample()
    private(set) var traffic: Traffic

    init(_ server: Server, _ traffic: Traffic, connections count: Int) throws {
        (self.server, self.traffic) = (server, traffic)
        poller = try EpollPoller()
        for index in 0..<count {
            let connection = Connection(try UnixSocket.connect(to: server.socketPath))
            connections.append(connection)
            try poller.add(connection.socket.raw, .readable, token: UInt64(index))
        }
    }

    /// First warms up for a fifth of the duration.
    func measure(_ measured: Duration) throws -> LoadSample {
        for connection in connections { try send(on: connection) }
        try serve(until: SystemCall.now + (measured / 5).saturatingNanoseconds, sending: true)
        (sample.answers, sample.latencies) = (0, Latencies())
        let start = (now: SystemCall.now, server: try server.process.processorTime(), own: Self.ownTime)
        try serve(until: start.now + measured.saturatingNanoseconds, sending: true)
        sample.elapsed = SystemCall.now - start.now
        sample.serverTime = try server.process.processorTime() - start.server
        sample.generatorTime = Self.ownTime - start.own
        let measured = (sample.answers, sample.latencies)
        try serve(until: SystemCall.now + Self.drainMax, sending: false)
        guard waiting == 0 else { throw server.process.failure("left \(waiting) requests without an answer") }
        (sample.answers, sample.latencies) = measured
        return sample
    }

    private static var ownTime: Int64 { SystemCall.time(of: CLOCK_PROCESS_CPUTIME_ID) }

    private func serve(until deadline: Int64, sending: Bool) throws {
        while waiting > 0, case let rest = deadline - SystemCall.now, rest > 0 {
            var failure: (any Error)?
            poller.wait(.atMost(nanoseconds: rest)) { token, _ in
                do {
                    if failure == nil { try receive(on: connections[Int(token)], sending: sending) }
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
    }

    private func receive(on connection: Connection, sending: Bool) throws {
        // The count limits the read to the buffer.
        let count = unsafe read(connection.socket.raw, &input, input.count)
        guard count > 0 else {
            if count < 0, platform_errno() == EAGAIN || platform_errno() == EINTR { return }
            throw server.process.failure("closed a connection during the load")
        }
        let now = SystemCall.now
        connection.partial.append(contentsOf: input[..<count])
        let bytes = connection.partial
        guard countAnswer(bytes.span, on: connection, now) else {
            guard bytes.count < Traffic.answerBytesMax else { throw server.process.failure("sent an endless answer") }
            return
        }
        connection.partial.removeAll()
        if sending { try send(on: connection) }
    }

    private func countAnswer(_ frame: Span<UInt8>, on connection: Connection, _ now: Int64) -> Bool {
        guard traffic.isComplete(frame, connection.pending) else { return false }
        if connection.isWaiting, traffic.isCorrect(frame, connection.pending) {
            sample.answers += 1
            sample.latencies.record(now - connection.sentAt)
        } else {
            sample.wrong += 1
            let shown = frame.extracting(first: 300)
            sample.firstWrong =
                sample.firstWrong
                ?? String(decoding: shown.indices.map { shown[$0] }, as: UTF8.self)
        }
        waiting -= connection.isWaiting ? 1 : 0
        connection.isWaiting = false
        return true
    }

    /// The send buffer is empty, so the request fits.
    private func send(on connection: Connection) throws {
        output.removeAll(keepingCapacity: true)
        traffic.appendRequest(to: &output, &connection.pending)
        (connection.sentAt, connection.isWaiting) = (SystemCall.now, true)
        waiting += 1
        guard SystemCall.send(output, from: 0, on: connection.socket.raw) == output.count else {
            throw server.process.failure("did not take a request")
        }
    }
}
