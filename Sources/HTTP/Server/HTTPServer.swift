import CPlatform
package import EventLoop
import Glibc

/// An HTTP/1.1 server on 127.0.0.1 that passes each request to its handler.
package actor HTTPServer<Handler: HTTPHandler>: LoopActor {
    package nonisolated let loop: EventLoop
    /// The kernel chooses the port if 0 is requested.
    package nonisolated let port: UInt16
    package nonisolated var base: String { "http://127.0.0.1:\(port)" }
    private static var pauseAfterFailure: Duration { .milliseconds(100) }
    private static var readBytes: Int { 64 << 10 }

    package var handler: Handler
    private let connectionsMax: Int
    private let listener: LoopbackListener
    private var listenerWatch: Watch?
    private var isAccepting = true
    private var connections: [Int32: HTTPConnection] = [:]
    private var signals: SignalWatch?

    /// While `connectionsMax` connections are open, further connections wait in the kernel.
    package init(on loop: EventLoop, port: UInt16, connectionsMax: Int, handler: Handler) throws(SystemError) {
        let listener = try LoopbackListener(port: port)
        self.port = listener.port
        self.loop = loop
        self.handler = handler
        self.connectionsMax = connectionsMax
        self.listener = listener
    }

    /// The loop keeps the server alive until `stop`.
    package func listen() throws(SystemError) {
        listenerWatch = try loop.watch(listener.descriptor.raw, .readable) { [self] _ in
            onLoop { $0.accept() }
        }
    }

    package func stop() {
        if let listenerWatch { loop.unwatch(listenerWatch) }
        listenerWatch = nil
        for connection in connections.values { close(connection) }
    }

    package func stopAtSignals() throws(SystemError) {
        signals = try SignalWatch([SIGTERM, SIGINT], on: loop) { [weak self] _ in
            self?.onLoop {
                $0.stop()
                $0.loop.stop()
            }
        }
    }

    // MARK: Accepting

    private func accept() {
        while isAccepting {
            guard connections.count < connectionsMax else { return setAccepting(false) }
            do {
                guard let descriptor = try SystemCall.accept(listener.descriptor.raw) else { return }
                try open(descriptor)
            } catch {
                // Without a pause, the loop would try again at once and use all processor time.
                setAccepting(false)
                _ = loop.schedule(at: loop.now.advanced(by: Self.pauseAfterFailure)) { [weak self] in
                    self?.onLoop { $0.acceptAgain() }
                }
            }
        }
    }

    private func open(_ descriptor: consuming FileDescriptor) throws(SystemError) {
        let raw = descriptor.raw
        LoopbackListener.sendAtOnce(raw)
        let connection = HTTPConnection(descriptor: descriptor)
        connection.watch = try loop.watch(raw, .readable) { [weak self] readiness in
            self?.onLoop { $0.isReady(raw, readiness) }
        }
        connections[raw] = connection
    }

    private func acceptAgain() {
        if !isAccepting, connections.count < connectionsMax { setAccepting(true) }
    }

    private func setAccepting(_ isAccepting: Bool) {
        self.isAccepting = isAccepting
        guard let listenerWatch else { return }
        do throws(SystemError) {
            try loop.change(listenerWatch, to: isAccepting ? .readable : [])
        } catch {
            preconditionFailure("\(error)")
        }
    }

    // MARK: Connections

    private func isReady(_ raw: Int32, _ readiness: Readiness) {
        guard let connection = connections[raw] else { return }
        if readiness.contains(.readable), !connection.inputEnded { read(connection) }
        if connections[raw] != nil, readiness.contains(.writable) { advance(connection) }
        if readiness.contains(.hangup) || readiness.contains(.failure) { close(connection) }
    }

    private func read(_ connection: HTTPConnection) {
        switch try? receive(connection) {
        case .bytes: advance(connection)
        case .wouldBlock: break
        case .ended, nil:
            connection.inputEnded = true
            // A client that has closed its sending side still gets the current answer.
            if connection.isIdle || connection.isHanging { close(connection) } else { setInterest(connection) }
        }
    }

    private func receive(_ connection: HTTPConnection) throws(SystemError) -> Transfer {
        try unsafe withUnsafeTemporaryAllocation(byteCount: Self.readBytes, alignment: 1) {
            buffer throws(SystemError) -> Transfer in
            let outcome = try unsafe SystemCall.read(connection.descriptor.raw, into: buffer)
            if case .bytes(let count) = outcome {
                // The read wrote the first `count` bytes of the buffer.
                unsafe connection.parser.append(UnsafeRawBufferPointer(buffer).prefix(count))
            }
            return outcome
        }
    }

    private func advance(_ connection: HTTPConnection) {
        var canContinue = true
        while canContinue {
            if !flush(connection) || connection.isWaiting {
                canContinue = false
            } else if let step = connection.steps.popLast() {
                canContinue = perform(step, on: connection)
            } else {
                canContinue = begin(connection)
            }
        }
        if connections[connection.descriptor.raw] === connection { setInterest(connection) }
    }

    private func begin(_ connection: HTTPConnection) -> Bool {
        if connection.parser.isTLS {
            // The fatal TLS alert handshake_failure, because this server does not support TLS.
            connection.steps = [.close, .send([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28])]
            connection.parser = HTTPRequestParser()
            return true
        }
        let steps: [DeliveryStep]
        do throws(HTTPRequestParser.Failure) {
            guard let message = try connection.parser.next() else {
                if connection.inputEnded { close(connection) }
                return false
            }
            let answer = handler.respond(to: message.request, at: platform_realtime_ns())
            let isHead = message.request.method == "HEAD"
            steps = DeliveryStep.steps(answer, isHead: isHead, keepsAlive: message.keepsAlive)
        } catch {
            let response = HTTPResponse.of(error.status, "text/plain", Array("\(error.message)\n".utf8))
            steps = DeliveryStep.steps(HTTPAnswer(response), isHead: false, keepsAlive: false)
        }
        connection.steps = steps.reversed()
        return true
    }

    private func perform(_ step: DeliveryStep, on connection: HTTPConnection) -> Bool {
        switch step {
        case .send(let bytes):
            connection.output = bytes
            connection.sent = 0
            return true
        case .close:
            close(connection)
        case .hang:
            connection.isWaiting = true
        case .wait(let duration):
            connection.isWaiting = true
            let raw = connection.descriptor.raw
            connection.timer = loop.schedule(at: loop.now.advanced(by: duration)) { [weak self] in
                self?.onLoop { $0.waited(raw) }
            }
        }
        return false
    }

    private func waited(_ raw: Int32) {
        guard let connection = connections[raw] else { return }
        connection.timer = nil
        connection.isWaiting = false
        advance(connection)
    }

    private func flush(_ connection: HTTPConnection) -> Bool {
        while connection.sent < connection.output.count {
            let outcome = unsafe try? connection.output.withUnsafeBytes { bytes throws(SystemError) -> Transfer in
                // The array does not change during the call.
                try unsafe SystemCall.send(
                    connection.descriptor.raw,
                    UnsafeRawBufferPointer(rebasing: bytes[connection.sent...])
                )
            }
            switch outcome {
            case .bytes(let count): connection.sent += count
            case .wouldBlock: return false
            case .ended, nil:
                close(connection)
                return false
            }
        }
        return true
    }

    private func setInterest(_ connection: HTTPConnection) {
        var interest: Interest = []
        if connection.sent < connection.output.count { interest.insert(.writable) }
        if !connection.inputEnded, connection.parser.hasRoom { interest.insert(.readable) }
        guard interest != connection.interest, let watch = connection.watch else { return }
        connection.interest = interest
        do throws(SystemError) {
            try loop.change(watch, to: interest)
        } catch {
            close(connection)
        }
    }

    private func close(_ connection: HTTPConnection) {
        guard connections.removeValue(forKey: connection.descriptor.raw) != nil else { return }
        if let watch = connection.watch { loop.unwatch(watch) }
        if let timer = connection.timer { loop.cancel(timer) }
        acceptAgain()
    }
}

private final class HTTPConnection {
    let descriptor: FileDescriptor
    var watch: Watch?
    var parser = HTTPRequestParser()
    var steps: [DeliveryStep] = []
    var output: [UInt8] = []
    var sent = 0
    var timer: Timer?
    var isWaiting = false
    var interest: Interest = .readable
    var inputEnded = false

    init(descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    var isHanging: Bool { isWaiting && timer == nil }

    var isIdle: Bool {
        steps.isEmpty && sent == output.count && !isWaiting
    }
}
