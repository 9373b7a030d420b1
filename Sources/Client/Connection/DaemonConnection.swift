import CPlatform
package import EventLoop
package import Glibc
package import JSON
package import RPC
import SearchModel

/// A connection to the daemon together with our output: the only type that waits.
///
/// Nothing here blocks but poll(2): while the output is full, the daemon is still read (up to a bound), so that a slow
/// reader of ours never looks like a dead client to the daemon; and Ctrl-C is heard whatever is stuck.
package struct DaemonConnection: ~Copyable {
    /// The longest line taken from the daemon.
    package static let lineBytesMax = 64 << 20
    /// With this much unprinted, the daemon is held back.
    static let unprintedBytesMax = 16 << 20
    /// With this much unsent, our input is held back.
    static let unsentBytesMax = 256 << 10
    private static let readBytesMax = 64 << 10
    /// What a pipe that poll calls writable takes without blocking.
    private static let writeBytesMax = 4096

    /// Where the daemon listens, as far as it is known.
    package let path: String
    private let socket: FileDescriptor
    private var console: Console
    private var received = LineBuffer(bytesMax: lineBytesMax)
    private var unsent = ByteQueue()
    private var unprinted = ByteQueue()
    private var forwarding = Forwarding.nothing
    private var daemonHasEnded = false
    /// Whether `nextEvent` has returned the end of the daemon.
    private var hasToldEnd = false
    /// Whether anything at all came from the daemon.
    package private(set) var hasReceived = false
    /// Whether anything was given out to be printed.
    package private(set) var hasPrinted = false

    /// What becomes of our standard input.
    private enum Forwarding {
        /// It is not ours to read. Can become `input`.
        case nothing
        /// It goes to the daemon; the last byte read is kept to see whether the last line is complete.
        case input(lastByte: UInt8)
        /// Its lines are for `nextEvent`. Becomes `done` after the last one.
        case lines(LineBuffer, hasEnded: Bool)
        /// It has ended and what was read of it is on its way. Becomes `done` when all is sent.
        case ending
        /// The daemon has been told that no more comes.
        case done
    }

    package init(socket: consuming FileDescriptor, console: Console, path: String = "") {
        self.path = path
        self.socket = socket
        self.console = console
    }

    /// The process that made the socket, and its user; nil when the kernel does not tell.
    var peer: Peer? { try? Peer(of: socket.raw) }

    /// Sends a line, which has no end yet, as far as the daemon takes it now; the rest goes while waiting.
    package mutating func send(line: [UInt8]) throws(ClientError) {
        unsent.append(line)
        unsent.append(CollectionOfOne(UInt8(ascii: "\n")))
        try sendSome()
    }

    /// Prints bytes while waiting, or at the latest in `flush`.
    package mutating func print(_ bytes: some Collection<UInt8>) {
        if !bytes.isEmpty { hasPrinted = true }
        unprinted.append(bytes)
    }

    /// Prints a line of JSON; on a terminal, with what could drive it escaped.
    package mutating func print(json: ArraySlice<UInt8>) {
        print(VisibleJSON.line(json, isTerminal: console.outputIsTerminal))
    }

    /// Sends our standard input to the daemon from now on, and closes the sending side at its end.
    package mutating func forwardInput() {
        forwarding = .input(lastByte: UInt8(ascii: "\n"))
    }

    /// What comes next from either side.
    package enum Event {
        case input([UInt8])
        case inputEnded
        case line([UInt8])
        /// The daemon has closed the connection.
        case ended
    }

    /// From now on `nextEvent` gives the lines of our standard input.
    package mutating func takeLines() {
        forwarding = .lines(LineBuffer(bytesMax: Self.lineBytesMax), hasEnded: false)
    }

    /// Continues with another connection after the daemon has ended; what is to be printed and the input stay.
    package mutating func replace(with other: consuming DaemonConnection) {
        other.forwarding = forwarding
        other.unprinted = unprinted
        self = other
    }

    /// The next line of either side, or its end, which is returned once.
    ///
    /// - Throws: `timeout` at the deadline; `interrupted`; `outputClosed`, also when there is nothing to print.
    package mutating func nextEvent(until deadline: Instant?) throws(ClientError) -> Event {
        while true {
            if let line = try received.next() { return .line(line) }
            if case .lines(var part, let hasEnded) = forwarding, mayTakeInput {
                if let line = try part.next() {
                    forwarding = .lines(part, hasEnded: hasEnded)
                    return .input(line)
                }
                if hasEnded {
                    forwarding = .done
                    return .inputEnded
                }
            }
            if daemonHasEnded, !hasToldEnd {
                hasToldEnd = true
                return .ended
            }
            try sendSome()
            try wait(until: deadline, reading: true)
        }
    }

    /// Whether neither the daemon nor the reader of our output is too far behind.
    private var mayTakeInput: Bool {
        unsent.count < Self.unsentBytesMax && unprinted.count < Self.unprintedBytesMax
    }

    /// Whether something waits for the daemon to take it.
    var hasUnsent: Bool { !unsent.isEmpty }

    /// Whether standard input was forwarded to its end.
    package var hasForwardedAll: Bool {
        if case .done = forwarding { true } else { false }
    }

    /// The next line of the daemon; nil when it has closed the connection.
    ///
    /// - Throws: `timeout` at the deadline; `interrupted`; `outputClosed`, also when there is nothing to print.
    package mutating func nextLine(until deadline: Instant? = nil) throws(ClientError) -> [UInt8]? {
        while true {
            if let line = try received.next() { return line }
            if daemonHasEnded { return nil }
            try wait(until: deadline, reading: true)
        }
    }

    /// What poll(2) has to wait for, for a caller that waits for more than the daemon.
    package var polled: pollfd {
        pollfd(fd: socket.raw, events: Int16(POLLIN | (unsent.isEmpty ? 0 : POLLOUT)), revents: 0)
    }

    /// Moves what can be moved without waiting; the lines that have come, and whether the daemon has closed.
    package mutating func move() throws(ClientError) -> (lines: [[UInt8]], hasEnded: Bool) {
        try sendSome()
        try receiveSome()
        var lines: [[UInt8]] = []
        while let line = try received.next() { lines.append(line) }
        return (lines, daemonHasEnded)
    }

    /// Prints what is left to print.
    package mutating func flush() throws(ClientError) {
        while !unprinted.isEmpty { try wait(until: nil, reading: false) }
    }

    /// Cancels a request, if the daemon takes that at once.
    package mutating func cancel(_ request: Int) {
        guard unsent.isEmpty, !daemonHasEnded else { return }
        // A failure changes nothing: closing the connection cancels too.
        try? send(line: RequestLine.cancellation(of: request))
    }

    /// Prints into another descriptor from now on; what is not printed yet goes there too.
    mutating func redirectOutput(to descriptor: Int32) {
        console.output = descriptor
    }

    // MARK: Waiting

    /// Waits until something can be moved, and moves it.
    private mutating func wait(until deadline: Instant?, reading: Bool) throws(ClientError) {
        let mayRead = reading && !daemonHasEnded && unprinted.count < Self.unprintedBytesMax
        let takesInput =
            switch forwarding {
            case .input: unsent.count < Self.unsentBytesMax
            case .lines(_, let hasEnded): !hasEnded && mayTakeInput
            case .nothing, .ending, .done: false
            }
        var polled = [
            pollfd(
                fd: mayRead || !unsent.isEmpty ? socket.raw : -1,
                events: Int16((mayRead ? POLLIN : 0) | (unsent.isEmpty ? 0 : POLLOUT)),
                revents: 0
            ),
            // Asked for nothing, poll still tells when the reader of our output has gone.
            pollfd(fd: console.output, events: Int16(unprinted.isEmpty ? 0 : POLLOUT), revents: 0),
            pollfd(fd: console.interrupt ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: takesInput ? console.input : -1, events: Int16(POLLIN), revents: 0),
        ]
        let timeout = deadline.map { $0.pollTimeout(from: .now) } ?? -1
        // The kernel fills the array, whose length is given, during the call.
        let count = unsafe poll(&polled, nfds_t(polled.count), timeout)
        if count < 0 {
            let number = platform_errno()
            if number == EINTR { return }
            throw ClientError(SystemError(call: "poll", number: number))
        }
        if count == 0 { throw ClientError(.init(.timeout), "searchd did not answer in time") }
        if polled[2].revents != 0 { throw ClientError(.interrupted, "interrupted") }
        try move(socket: polled[0].revents, output: polled[1].revents, input: polled[3].revents)
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
        guard let bytes = try Transfers.read(socket.raw, bytesMax: Self.readBytesMax) else { return }
        if bytes.isEmpty {
            daemonHasEnded = true
        } else {
            hasReceived = true
            received.append(bytes)
        }
    }

    private mutating func sendSome() throws(ClientError) {
        while !unsent.isEmpty {
            switch try Transfers.send(unsent.front(Self.readBytesMax), to: socket.raw) {
            case .bytes(let count): unsent.drop(count)
            case .wouldBlock: return
            // What the daemon said before it closed is still there to be read.
            case .ended: unsent.removeAll()
            }
        }
        if case .ending = forwarding {
            forwarding = .done
            _ = shutdown(socket.raw, Int32(SHUT_WR))
        }
    }

    private mutating func takeInput() throws(ClientError) {
        if case .lines(let part, _) = forwarding { return try takeLines(after: part) }
        guard case .input(let lastByte) = forwarding,
            let bytes = try Transfers.read(console.input, bytesMax: Self.readBytesMax)
        else { return }
        if let last = bytes.last {
            unsent.append(bytes)
            forwarding = .input(lastByte: last)
        } else {
            if lastByte != UInt8(ascii: "\n") { unsent.append(CollectionOfOne(UInt8(ascii: "\n"))) }
            forwarding = .ending
        }
        try sendSome()
    }

    private mutating func takeLines(after part: LineBuffer) throws(ClientError) {
        guard let bytes = try Transfers.read(console.input, bytesMax: Self.readBytesMax) else { return }
        var part = part
        // The last line may lack its end.
        part.append(bytes.isEmpty ? [UInt8(ascii: "\n")] : bytes)
        forwarding = .lines(part, hasEnded: bytes.isEmpty)
    }

    private mutating func printSome() throws(ClientError) {
        unprinted.drop(try Transfers.write(unprinted.front(Self.writeBytesMax), to: console.output))
    }
}

extension DaemonConnection {
    /// The result of a request, when nothing else is of interest.
    package mutating func result(of request: Int, until deadline: Instant?) throws(ClientError) -> JSONCursor {
        while true {
            let (id, result) = try nextResult(until: deadline)
            if id == request { return result }
        }
    }

    /// How a key is set for this daemon: a socket that this user has not made leads to the system's.
    package var keys: KeyCommandLine {
        KeyCommandLine(isSystem: path == SocketPlan.systemPath || peer.map { $0.userID != geteuid() } ?? false)
    }

    /// Asks for one thing; its result.
    package mutating func ask(
        _ method: MethodName,
        params: [UInt8]? = nil,
        id: Int = 1,
        within seconds: Int
    ) throws(ClientError) -> JSONCursor {
        try send(line: RequestLine.request(id, method, params: params))
        return try result(of: id, until: .now.advanced(by: .seconds(seconds)))
    }

    /// Prints JSON, or lines for people; returns when all is written.
    package mutating func print(json: ArraySlice<UInt8>, or lines: [String], as format: OutputFormat)
        throws(ClientError)
    {
        switch format {
        case .json: print(json: json)
        case .text: for line in lines { print("\(line)\n".utf8) }
        }
        try flush()
    }

    /// The next result, whichever request it answers; notifications are passed over.
    ///
    /// - Throws: the daemon's error, whichever request it answers.
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

    /// All that is asked for so are methods of the contract.
    private static var older: ClientError {
        ClientError(
            .init(.methodNotFound),
            "the searchd that is running is older than this searchctl",
            hint: "“searchctl restart” starts the installed one."
        )
    }
}
