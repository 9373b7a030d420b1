import CPlatform
import EventLoop
import Glibc

/// The result of one measurement of one server.
struct LoadSample: Sendable {
    /// The number of correct answers during the measurement.
    var answers = 0
    /// The number of wrong answers: errors, wrong lengths, or answers to other requests.
    var wrong = 0
    /// The beginning of the first wrong answer.
    var firstWrong: String?
    /// The duration of the measurement, in nanoseconds.
    var elapsed: Int64 = 0
    /// The times from request to answer.
    var latencies = Latencies()
    /// The processor time of the server during the measurement, in nanoseconds.
    var serverTime: Int64 = 0
    /// The processor time of this program during the measurement, in nanoseconds.
    var generatorTime: Int64 = 0

    var answersPerSecond: Double { Double(answers) * 1e9 / Double(max(elapsed, 1)) }
    /// The server's processor time per answer.
    var timePerAnswer: Double { Double(serverTime) / Double(max(answers, 1)) }
    /// The processor share of this program, which limits the result instead of the server if it is near 1.
    var generatorLoad: Double { Double(generatorTime) / Double(max(elapsed, 1)) }

    /// Describes the wrong answers in several samples, or returns nil if there are none.
    static func failure(_ samples: [LoadSample], _ name: String) -> String? {
        let wrong = samples.reduce(0) { $0 + $1.wrong }
        let first = samples.lazy.compactMap(\.firstWrong).first ?? ""
        return wrong == 0 ? nil : "\(wrong) wrong answers of \(name), the first: \(first)"
    }
}

/// Sends requests to one server over many connections from one thread, and checks every answer.
///
/// Each connection has one unanswered request at a time.
final class LoadGenerator {
    private final class Connection {
        let socket: FileDescriptor
        var pending = Traffic.Pending()
        var sentAt: Int64 = 0
        var isWaiting = false
        /// The received part of an incomplete answer.
        var partial: [UInt8] = []

        init(_ socket: consuming FileDescriptor) { self.socket = socket }
    }

    /// The timeout for the last answers.
    private static let drainMax: Int64 = 10_000_000_000

    private let server: Server
    private let poller: EpollPoller
    private var connections: [Connection] = []
    private var input = [UInt8](repeating: 0, count: Traffic.answerBytesMax)
    private var output: [UInt8] = []
    private var waiting = 0
    private var sample = LoadSample()
    /// The generator of requests, in the state after the last request, with which the next measurement continues.
    private(set) var traffic: Traffic

    /// Opens the connections, but sends nothing.
    init(_ server: Server, _ traffic: Traffic, connections count: Int) throws {
        (self.server, self.traffic) = (server, traffic)
        poller = try EpollPoller()
        for index in 0..<count {
            let connection = Connection(try UnixSocket.connect(to: server.socketPath))
            connections.append(connection)
            try poller.add(connection.socket.raw, .readable, token: UInt64(index))
        }
    }

    /// Warms up for a fifth of the duration, then measures for the duration.
    ///
    /// - Throws: An error if the server does not answer or closes a connection.
    func measure(_ measured: Duration) throws -> LoadSample {
        for connection in connections { try send(on: connection) }
        try serve(until: SystemCall.now + (measured / 5).saturatingNanoseconds, sending: true)
        (sample.answers, sample.latencies) = (0, Latencies())
        let start = (now: SystemCall.now, server: try server.process.processorTime(), own: Self.ownTime)
        try serve(until: start.now + measured.saturatingNanoseconds, sending: true)
        sample.elapsed = SystemCall.now - start.now
        sample.serverTime = try server.process.processorTime() - start.server
        sample.generatorTime = Self.ownTime - start.own
        // Answers that arrive later are checked but not counted.
        let measured = (sample.answers, sample.latencies)
        try serve(until: SystemCall.now + Self.drainMax, sending: false)
        guard waiting == 0 else { throw server.process.failure("left \(waiting) requests without an answer") }
        (sample.answers, sample.latencies) = measured
        return sample
    }

    private static var ownTime: Int64 { SystemCall.time(of: CLOCK_PROCESS_CPUTIME_ID) }

    /// Receives answers until the deadline, or until all requests are answered.
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
            throw server.process.failure("closed a connection in the middle of the load")
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

    /// Counts an answer as correct or wrong, or returns false if it is incomplete.
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

    /// Sends a request with one system call, because the socket buffer is empty after the previous answer.
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
