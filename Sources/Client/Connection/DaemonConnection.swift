import CPlatform
package import EventLoop
package import Glibc
package import JSON
package import RPC
import SearchModel

/// A connection to the daemon.
///
/// It queues the bytes to send and to print. Only poll(2) blocks.
package struct DaemonConnection: ~Copyable {
    package static let lineBytesMax = 64 << 20
    /// If more bytes wait to be printed, reading stops, and the daemon may disconnect.
    static let unprintedBytesMax = 16 << 20
    package static let silenceMaxDefault = Duration.milliseconds(2500)
    static let unsentBytesMax = 256 << 10
    private static let readBytesMax = 64 << 10
    /// If poll(2) reports a pipe as writable, the pipe accepts this many bytes without blocking.
    private static let writeBytesMax = 4096

    package let path: String
    private let socket: FileDescriptor
    private let console: Console
    private var received = LineBuffer(bytesMax: lineBytesMax)
    private var unsent = ByteQueue()
    private var unprinted = ByteQueue()
    private var input: Input?
    private var daemonHasEnded = false
    private var hasReportedEnd = false
    private let silenceMax: Duration
    /// When to ping a daemon that has sent nothing.
    private var checkAt: Instant?
    package private(set) var hasReceived = false
    package private(set) var hasPrinted = false

    private struct Input {
        var lines = LineBuffer(bytesMax: lineBytesMax)
        var hasEnded = false
        var hasReportedEnd = false
    }

    /// Creates a connection.
    ///
    /// If nothing arrives within `silenceMax`, the connection pings the daemon. If the ping is not answered either, the
    /// request throws `silent`.
    package init(
        socket: consuming FileDescriptor,
        console: Console,
        path: String = "",
        silenceMax: Duration = silenceMaxDefault
    ) {
        self.path = path
        self.socket = socket
        self.console = console
        self.silenceMax = silenceMax
        checkAt = .now.advanced(by: silenceMax)
    }

    var peer: Peer? { try? Peer(of: socket.raw) }

    package mutating func send(line: [UInt8]) throws(ClientError) {
        unsent.append(line)
        unsent.append(CollectionOfOne(UInt8(ascii: "\n")))
        try sendSome()
    }

    /// Queues bytes, which the next wait or `flush` prints.
    package mutating func print(_ bytes: some Collection<UInt8>) {
        if !bytes.isEmpty { hasPrinted = true }
        unprinted.append(bytes)
    }

    package mutating func print(json: ArraySlice<UInt8>) {
        print(VisibleJSON.line(json, isTerminal: console.outputIsTerminal))
    }

    package enum Event {
        case input([UInt8])
        case inputEnded
        case line([UInt8])
        case ended
    }

    package mutating func takeLines() { input = Input() }

    package mutating func replace(with other: consuming DaemonConnection) {
        other.input = input
        other.unprinted = unprinted
        self = other
    }

    /// - Throws: `timeout` at the deadline, `interrupted` after Ctrl-C, and `outputClosed` if the output is closed.
    package mutating func nextEvent(until deadline: Instant?) throws(ClientError) -> Event {
        while true {
            if let line = try received.next() { return .line(line) }
            if mayTakeInput {
                if let line = try input?.lines.next() { return .input(line) }
                if input?.hasEnded == true, input?.hasReportedEnd == false {
                    input?.hasReportedEnd = true
                    return .inputEnded
                }
            }
            if daemonHasEnded, !hasReportedEnd {
                hasReportedEnd = true
                return .ended
            }
            try sendSome()
            try wait(until: deadline, reading: true)
        }
    }

    private var mayTakeInput: Bool {
        unsent.count < Self.unsentBytesMax && unprinted.count < Self.unprintedBytesMax
    }

    mutating func endSending() throws(ClientError) {
        while !unsent.isEmpty { try wait(until: nil, reading: true) }
        _ = shutdown(socket.raw, Int32(SHUT_WR))
    }

    package mutating func nextLine(until deadline: Instant? = nil) throws(ClientError) -> [UInt8]? {
        while true {
            if let line = try received.next() { return line }
            if daemonHasEnded { return nil }
            try wait(until: deadline, reading: true)
        }
    }

    package var polled: pollfd {
        pollfd(fd: socket.raw, events: Int16(POLLIN | (unsent.isEmpty ? 0 : POLLOUT)), revents: 0)
    }

    /// Sends and reads without waiting.
    package mutating func move() throws(ClientError) -> (lines: [[UInt8]], hasEnded: Bool) {
        try sendSome()
        try receiveSome()
        var lines: [[UInt8]] = []
        while let line = try received.next() { lines.append(line) }
        return (lines, daemonHasEnded)
    }

    package mutating func flush() throws(ClientError) {
        while !unprinted.isEmpty { try wait(until: nil, reading: false) }
    }

    package mutating func cancel(_ request: Int) {
        guard unsent.isEmpty, !daemonHasEnded else { return }
        // After a failure, the connection closes. The daemon then cancels the request.
        try? send(line: RequestLine.cancellation(of: request))
    }

    private mutating func wait(until deadline: Instant?, reading: Bool) throws(ClientError) {
        let mayRead = reading && !daemonHasEnded && unprinted.count < Self.unprintedBytesMax
        let takesInput = input?.hasEnded == false && mayTakeInput
        var polled = [
            pollfd(
                fd: mayRead || !unsent.isEmpty ? socket.raw : -1,
                events: Int16((mayRead ? POLLIN : 0) | (unsent.isEmpty ? 0 : POLLOUT)),
                revents: 0
            ),
            pollfd(fd: console.output, events: Int16(unprinted.isEmpty ? 0 : POLLOUT), revents: 0),
            pollfd(fd: console.interrupt ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: takesInput ? console.input : -1, events: Int16(POLLIN), revents: 0),
        ]
        let checkAt = mayRead && !hasReceived && input?.hasEnded != false ? checkAt : nil
        let dueAt = [deadline, checkAt].compactMap(\.self).min()
        guard let count = try DescriptorIO.poll(&polled, until: dueAt) else { return }
        if count == 0, let checkAt, checkAt == dueAt { return try checkAnswering() }
        if count == 0 { throw ClientError(.init(.timeout), "searchd did not answer before the timeout") }
        if polled[2].revents != 0 { throw ClientError(.interrupted, "interrupted") }
        try move(socket: polled[0].revents, output: polled[1].revents, input: polled[3].revents)
    }

    /// Pings the daemon on another connection, and throws `silent` if the daemon does not answer.
    private mutating func checkAnswering() throws(ClientError) {
        checkAt = nil
        guard let socket = try? UnixSocket.connect(to: path, within: silenceMax) else { return }
        let deadline = Instant.now.advanced(by: silenceMax)
        var other = DaemonConnection(socket: socket, console: console, silenceMax: silenceMax * 2)
        do throws(ClientError) {
            try other.send(line: RequestLine.request(1, .ping))
            _ = try other.result(of: 1, until: deadline)
        } catch {
            if error.code == .interrupted { throw error }
            guard error.code == .init(.timeout) else { return }
            throw silence
        }
    }

    /// The error for a daemon that does not answer.
    package var silence: ClientError {
        let process = try? DaemonProcess.of(peer, on: path)
        return process?.silence ?? ClientError(.silent, "the server on \(path) does not answer")
    }

    private mutating func move(socket: Int16, output: Int16, input: Int16) throws(ClientError) {
        let gone = Int16(POLLERR | POLLHUP | POLLNVAL)
        if output & Int16(POLLOUT) != 0 {
            try printSome()
        } else if output & gone != 0 {
            throw ClientError(.outputClosed, "the output is closed")
        }
        if socket & Int16(POLLOUT) != 0 { try sendSome() }
        if socket & (Int16(POLLIN) | gone) != 0 { try receiveSome() }
        if input != 0 { try takeInput() }
    }

    private mutating func receiveSome() throws(ClientError) {
        guard let bytes = try DescriptorIO.read(socket.raw, bytesMax: Self.readBytesMax) else { return }
        if bytes.isEmpty {
            daemonHasEnded = true
        } else {
            hasReceived = true
            received.append(bytes)
        }
    }

    private mutating func sendSome() throws(ClientError) {
        while !unsent.isEmpty {
            switch try DescriptorIO.send(unsent.front(Self.readBytesMax), to: socket.raw) {
            case .bytes(let count): unsent.drop(count)
            case .wouldBlock: return
            case .ended: unsent.removeAll()
            }
        }
    }

    private mutating func takeInput() throws(ClientError) {
        guard let bytes = try DescriptorIO.read(console.input, bytesMax: Self.readBytesMax) else { return }
        input?.hasEnded = bytes.isEmpty
        input?.lines.append(bytes.isEmpty ? [UInt8(ascii: "\n")] : bytes)
    }

    private mutating func printSome() throws(ClientError) {
        unprinted.drop(try DescriptorIO.write(unprinted.front(Self.writeBytesMax), to: console.output))
    }
}

extension DaemonConnection {
    package mutating func result(of request: Int, until deadline: Instant?) throws(ClientError) -> JSONCursor {
        while true {
            let (id, result) = try nextResult(until: deadline)
            if id == request { return result }
        }
    }

    package var keys: KeyCommandLine {
        KeyCommandLine(isSystem: path == SocketPlan.systemPath || peer.map { $0.userID != geteuid() } ?? false)
    }

    package mutating func ask(
        _ method: MethodName,
        params: [UInt8]? = nil,
        within seconds: Int = 30
    ) throws(ClientError) -> JSONCursor {
        try send(line: RequestLine.request(1, method, params: params))
        return try result(of: 1, until: .now.advanced(by: .seconds(seconds)))
    }

    package mutating func nextResult(until deadline: Instant?) throws(ClientError) -> (id: Int, result: JSONCursor) {
        while let line = try nextLine(until: deadline) {
            switch try Message.read(line) {
            case .result(let id, let result): return (id, result)
            case .failure(id: _, let error): throw error.code == .init(.methodNotFound) ? Self.older : error
            case .notification: continue
            }
        }
        throw Connector.lost
    }

    private static var older: ClientError {
        let hint = "Run “searchctl restart”, which starts the installed version."
        return ClientError(.init(.methodNotFound), "the running searchd is older than this searchctl", hint: hint)
    }
}
