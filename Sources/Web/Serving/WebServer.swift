import CPlatform
package import EventLoop
import Glibc

/// Responds to requests.
///
/// The server calls the handler on the loop, concurrently for different connections.
protocol WebHandler: Sendable {
    /// Returns the response if it is known at once, otherwise nil.
    func recentResponse(to request: WebRequest) -> WebResponse?
    func respond(to request: WebRequest) async -> WebResponse
}

/// The limits of a server, which bound its memory.
struct WebLimits: Sendable {
    var connections = 1024
    /// At this limit, a new connection replaces the connection that has waited longest for a request.
    var connectionsPerAddress = 512
    /// The time to receive a request.
    ///
    /// It starts when the connection opens, or at the first byte of a later request.
    var request = Duration.seconds(10)
    var idle = Duration.seconds(60)
    /// The connection is closed if sending makes no progress for this time.
    var sending = Duration.seconds(30)
    var closing = Duration.seconds(2)
    var bufferedBytes = 32 << 20
    var streamBytes = 4 << 20
}

/// An HTTP/1.1 server for clients that may be slow, broken or hostile.
package actor WebServer: LoopActor {
    package nonisolated let loop: EventLoop
    private static let readBytes = 16 << 10
    private static let pauseAfterFailure = Duration.milliseconds(100)

    private let handler: any WebHandler
    private let limits: WebLimits
    private var listeners: [Int32: Watch] = [:]
    private var connections: [UInt64: WebConnection] = [:]
    private var lastNumber: UInt64 = 0
    private var bufferedBytes = 0
    private var sweep: (at: Instant, timer: Timer)?

    init(on loop: EventLoop, limits: WebLimits = WebLimits(), handler: any WebHandler) {
        (self.loop, self.limits, self.handler) = (loop, limits, handler)
    }

    func listen(on raw: Int32) throws(SystemError) {
        listeners[raw] = try loop.watch(raw, .readable) { [self] _ in onLoop { $0.accept(from: raw) } }
    }

    func stop() {
        for (raw, watch) in listeners {
            loop.unwatch(watch)
            Glibc.close(raw)
        }
        listeners = [:]
        for connection in connections.values { close(connection) }
    }

    private func accept(from raw: Int32) {
        do throws(SystemError) {
            while let descriptor = try SystemCall.accept(raw) { try open(descriptor) }
        } catch {
            // Without a pause, the loop would try again at once and use all processor time.
            guard let watch = listeners[raw] else { return }
            try? loop.change(watch, to: [])
            _ = schedule(at: loop.now.advanced(by: Self.pauseAfterFailure)) { server in
                if let watch = server.listeners[raw] { try? server.loop.change(watch, to: .readable) }
            }
        }
    }

    private func open(_ descriptor: consuming FileDescriptor) throws(SystemError) {
        let address = SocketAddress(peerOf: descriptor.raw)?.host ?? ""
        guard makeRoom(for: address) else { return }
        LoopbackListener.sendAtOnce(descriptor.raw)
        lastNumber += 1
        let number = lastNumber
        let connection = WebConnection(number, descriptor, address, deadline: loop.now.advanced(by: limits.request))
        connection.watch = try loop.watch(connection.descriptor.raw, .readable) { [weak self] readiness in
            self?.onLoop { $0.isReady(number, readiness) }
        }
        connections[number] = connection
        look(at: connection.deadline)
    }

    private func makeRoom(for address: String) -> Bool {
        let own = connections.values.count { $0.address == address }
        guard own >= limits.connectionsPerAddress || connections.count >= limits.connections else { return true }
        let isFull = own < limits.connectionsPerAddress
        // A closing connection without unsent bytes only waits until the client closes it.
        let idle = connections.values.filter { connection in
            let isIdle = connection.state == .waiting || connection.state == .closing && connection.unsent == 0
            return isIdle && (isFull || connection.address == address)
        }
        guard let oldest = idle.min(by: { $0.deadline < $1.deadline }) else { return false }
        close(oldest)
        return true
    }

    private func isReady(_ number: UInt64, _ readiness: Readiness) {
        guard let connection = connections[number] else { return }
        if readiness.contains(.failure) { return close(connection) }
        if readiness.contains(.readable), !connection.inputHasEnded { read(connection) }
        if connections[number] != nil, readiness.contains(.writable) { flush(connection) }
        if connections[number] != nil { advance(connection) }
    }

    private func read(_ connection: WebConnection) {
        let isNew = !connection.parser.hasBegun
        let outcome = try? unsafe withUnsafeTemporaryAllocation(byteCount: Self.readBytes, alignment: 1) {
            buffer throws(SystemError) -> Transfer in
            let outcome = try unsafe SystemCall.read(connection.descriptor.raw, into: buffer)
            if case .bytes(let count) = outcome {
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
                if connection.state != .closing { unsafe connection.parser.append(bytes) }
            }
            return outcome
        }
        switch outcome {
        case .bytes:
            if isNew, connection.state == .waiting { setDeadline(of: connection, in: limits.request) }
        case .wouldBlock: break
        case .ended, nil:
            connection.inputHasEnded = true
            if connection.state != .responding, connection.state != .closing || connection.unsent == 0 {
                close(connection)
            }
        }
    }

    private func advance(_ connection: WebConnection) {
        if connection.state == .waiting, connection.unsent == 0 {
            do throws(RequestParser.Refusal) {
                if let request = try connection.parser.next() { begin(request, on: connection) }
            } catch {
                refuse(error.status, error.message, on: connection)
            }
        }
        setInterest(of: connection)
    }

    private func begin(_ request: WebRequest, on connection: WebConnection) {
        connection.state = .responding
        connection.deadline = .distantFuture
        connection.keepsAlive = request.keepsAlive
        connection.isCurrent = request.isCurrent
        connection.isHead = request.method == .head
        let number = connection.number
        if let response = handler.recentResponse(to: request) { return respond(response, to: number) }
        connection.task = Task(executorPreference: loop) { [self] in await answer(request, to: number) }
    }

    private func answer(_ request: WebRequest, to number: UInt64) async {
        let response = await handler.respond(to: request)
        respond(response, to: number)
        guard case .stream(let body) = response.body, connections[number]?.state == .streaming else { return }
        await body { bytes in self.onLoop { $0.sendPiece(bytes, to: number) } }
        endStream(of: number)
    }

    private func refuse(_ status: Int, _ message: String, on connection: WebConnection) {
        connection.keepsAlive = false
        respond(.text(status, message), to: connection.number)
    }

    private func respond(_ response: WebResponse, to number: UInt64) {
        guard let connection = connections[number] else { return }
        var body: [UInt8]?
        if case .bytes(let bytes) = response.body { body = bytes }
        let (isCurrent, isHead) = (connection.isCurrent, connection.isHead)
        // In HTTP/1.0, a body without a length ends when the connection closes.
        connection.keepsAlive = connection.keepsAlive && (body != nil || isCurrent)
        var bytes = response.head(length: body?.count, isCurrent: isCurrent, keepsAlive: connection.keepsAlive)
        if let body, !isHead { bytes += body }
        send(bytes, on: connection)
        if body == nil, !isHead { connections[number]?.state = .streaming } else { finish(number) }
    }

    private func sendPiece(_ bytes: [UInt8], to number: UInt64) {
        guard let connection = connections[number], connection.state == .streaming, !bytes.isEmpty else { return }
        guard connection.unsent < limits.streamBytes else { return close(connection) }
        guard connection.isCurrent else { return send(bytes, on: connection) }
        send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8), on: connection)
    }

    private func endStream(of number: UInt64) {
        guard let connection = connections[number], connection.state == .streaming else { return }
        if connection.isCurrent { send(Array("0\r\n\r\n".utf8), on: connection) }
        finish(number)
    }

    private func finish(_ number: UInt64) {
        guard let connection = connections[number] else { return }
        connection.task = nil
        connection.state = connection.keepsAlive && !connection.inputHasEnded ? .waiting : .closing
        if connection.unsent == 0 { isSent(connection) }
    }

    private func isSent(_ connection: WebConnection) {
        switch connection.state {
        case .closing:
            guard !connection.inputHasEnded else { return close(connection) }
            // If a socket is closed with unread bytes, the kernel resets the connection. The client could then lose the
            // response.
            shutdown(connection.descriptor.raw, Int32(SHUT_WR))
            setDeadline(of: connection, in: limits.closing)
        case .waiting:
            setDeadline(of: connection, in: connection.parser.hasBegun ? limits.request : limits.idle)
            // The next request starts later, so that one client with many requests does not delay the others.
            if connection.parser.hasBegun {
                let number = connection.number
                performLater { server in server.connections[number].map { server.advance($0) } }
            }
        case .responding, .streaming: connection.deadline = .distantFuture
        }
    }

    private func send(_ bytes: [UInt8], on connection: WebConnection) {
        connection.append(bytes)
        bufferedBytes += bytes.count
        flush(connection)
        if bufferedBytes > limits.bufferedBytes, connections[connection.number] != nil { close(connection) }
    }

    private func flush(_ connection: WebConnection) {
        let before = connection.unsent
        guard before > 0 else { return }
        guard connection.flush() else { return close(connection) }
        bufferedBytes -= before - connection.unsent
        if connection.unsent == 0 {
            isSent(connection)
        } else if connection.unsent < before || connection.deadline == .distantFuture {
            setDeadline(of: connection, in: limits.sending)
        }
        if connections[connection.number] != nil { setInterest(of: connection) }
    }

    private func setInterest(of connection: WebConnection) {
        guard connections[connection.number] != nil, let watch = connection.watch else { return }
        let mustSend = connection.unsent > 0
        let mayRead = !connection.inputHasEnded && connection.parser.hasRoom
        let interest: Interest = mustSend ? (mayRead ? [.readable, .writable] : .writable) : mayRead ? .readable : []
        guard interest != connection.interest else { return }
        connection.interest = interest
        do throws(SystemError) { try loop.change(watch, to: interest) } catch { close(connection) }
    }

    private func close(_ connection: WebConnection) {
        guard connections.removeValue(forKey: connection.number) != nil else { return }
        bufferedBytes -= connection.unsent
        connection.task?.cancel()
        if let watch = connection.watch { loop.unwatch(watch) }
        if connections.isEmpty, let sweep {
            loop.cancel(sweep.timer)
            self.sweep = nil
        }
        // The descriptor closes when the last reference to the connection is released.
    }

    private func setDeadline(of connection: WebConnection, in time: Duration) {
        connection.deadline = loop.now.advanced(by: time)
        look(at: connection.deadline)
    }

    private func look(at instant: Instant) {
        if let sweep {
            guard instant < sweep.at else { return }
            loop.cancel(sweep.timer)
        }
        sweep = (instant, schedule(at: instant) { $0.closeLateConnections() })
    }

    private func closeLateConnections() {
        sweep = nil
        let now = loop.now
        for connection in connections.values where connection.deadline <= now {
            if connection.state == .waiting, connection.parser.hasBegun, connection.unsent == 0 {
                refuse(408, "the request took too long", on: connection)
            } else {
                close(connection)
            }
        }
        let next = connections.values.lazy.map(\.deadline).min() ?? .distantFuture
        if next != .distantFuture { look(at: max(next, now.advanced(by: .milliseconds(250)))) }
    }
}

/// A client's connection; its requests are answered one at a time.
private final class WebConnection {
    enum State {
        case waiting
        case responding
        case streaming
        /// Closes when everything is sent and the client has closed its side.
        case closing
    }

    let number: UInt64
    let descriptor: FileDescriptor
    let address: String
    var watch: Watch?
    var interest: Interest = .readable
    var parser = RequestParser()
    var state = State.waiting
    var deadline: Instant
    var task: Task<Void, Never>?
    var keepsAlive = false
    var isCurrent = true
    var isHead = false
    var inputHasEnded = false
    private var output: [UInt8] = []
    private var sent = 0

    init(_ number: UInt64, _ descriptor: consuming FileDescriptor, _ address: String, deadline: Instant) {
        (self.number, self.address, self.deadline) = (number, address, deadline)
        self.descriptor = descriptor
    }

    var unsent: Int { output.count - sent }

    func append(_ bytes: [UInt8]) {
        if sent > output.count / 2 {
            output.removeFirst(sent)
            sent = 0
        }
        if output.isEmpty { output = bytes } else { output += bytes }
    }

    func flush() -> Bool {
        while sent < output.count {
            let outcome = unsafe try? output.withUnsafeBytes { bytes throws(SystemError) -> Transfer in
                // The array does not change during the call.
                try unsafe SystemCall.send(descriptor.raw, UnsafeRawBufferPointer(rebasing: bytes[sent...]))
            }
            switch outcome {
            case .bytes(let count): sent += count
            case .wouldBlock: return true
            case .ended, nil: return false
            }
        }
        (output, sent) = ([], 0)
        return true
    }
}

extension Instant {
    static let distantFuture = Instant(nanoseconds: .max)
}
