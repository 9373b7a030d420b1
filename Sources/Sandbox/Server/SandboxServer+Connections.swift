import EventLoop
import HTTP

extension SandboxServer {
    static let readBytes = 64 << 10

    func isReady(_ raw: Int32, _ readiness: Readiness) {
        guard let connection = connections[raw] else { return }
        if readiness.contains(.readable), !connection.inputEnded { read(connection) }
        if connections[raw] != nil, readiness.contains(.writable) { advance(connection) }
        if readiness.contains(.hangup) || readiness.contains(.failure) { close(connection) }
    }

    /// Reads what has arrived, and processes it unless an answer is being sent.
    private func read(_ connection: SandboxConnection) {
        let outcome = try? receive(connection)
        switch outcome {
        case .bytes: advance(connection)
        case .wouldBlock: break
        case .ended, nil:
            connection.inputEnded = true
            // A client that has closed its writing side still gets the answer under way.
            if connection.isIdle || connection.isHanging { close(connection) } else { setInterest(connection) }
        }
    }

    private func receive(_ connection: SandboxConnection) throws(SystemError) -> Transfer {
        try unsafe withUnsafeTemporaryAllocation(byteCount: Self.readBytes, alignment: 1) {
            buffer throws(SystemError) -> Transfer in
            let outcome = try unsafe SystemCall.read(connection.descriptor.raw, into: buffer)
            if case .bytes(let count) = outcome {
                // The first `count` bytes of the buffer were written by the read above.
                unsafe connection.parser.append(UnsafeRawBufferPointer(buffer).prefix(count))
            }
            return outcome
        }
    }

    /// Does what can be done: sends, goes on with the steps, answers the next request.
    private func advance(_ connection: SandboxConnection) {
        var canGoOn = true
        while canGoOn {
            if !flush(connection) || connection.isWaiting {
                canGoOn = false
            } else if let step = connection.steps.popLast() {
                canGoOn = perform(step, on: connection)
            } else {
                canGoOn = begin(connection)
            }
        }
        if connections[connection.descriptor.raw] === connection { setInterest(connection) }
    }

    /// Starts on the next request; false when there is none, or the connection has ended.
    private func begin(_ connection: SandboxConnection) -> Bool {
        if connection.parser.isTLS {
            // A fatal alert, handshake_failure: the client learns that there is no TLS here.
            connection.steps = [.close, .send([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28])]
            connection.parser = HTTPRequestParser()
            return true
        }
        do throws(HTTPRequestParser.Failure) {
            guard let message = try connection.parser.next() else {
                if connection.inputEnded { close(connection) }
                return false
            }
            let plan = DeliveryPlan(
                answer(message.request),
                isHead: message.request.method == "HEAD",
                keepsAlive: message.keepsAlive
            )
            connection.steps = plan.steps.reversed()
        } catch {
            let response = HTTPResponse.of(error.status, "text/plain", Array("\(error.message)\n".utf8))
            connection.steps = DeliveryPlan(SandboxAnswer(response), isHead: false, keepsAlive: false).steps.reversed()
        }
        return true
    }

    /// False when nothing more can be done now.
    private func perform(_ step: DeliveryPlan.Step, on connection: SandboxConnection) -> Bool {
        switch step {
        case .send(let bytes):
            connection.output = bytes
            connection.sent = 0
            return true
        case .close:
            close(connection)
            return false
        case .hang:
            connection.isWaiting = true
            return false
        case .wait(let duration):
            connection.isWaiting = true
            let raw = connection.descriptor.raw
            connection.timer = loop.schedule(at: loop.now.advanced(by: duration)) { [weak self] in
                self?.onLoop { $0.waited(raw) }
            }
            return false
        }
    }

    private func waited(_ raw: Int32) {
        guard let connection = connections[raw] else { return }
        connection.timer = nil
        connection.isWaiting = false
        advance(connection)
    }

    /// True when everything has been handed to the kernel.
    private func flush(_ connection: SandboxConnection) -> Bool {
        while connection.sent < connection.output.count {
            let outcome = unsafe try? connection.output.withUnsafeBytes { bytes throws(SystemError) -> Transfer in
                // The array is not touched while the kernel reads from it.
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

    /// Watches for what the connection waits for: bytes to come, room to send, or only the client's leaving.
    private func setInterest(_ connection: SandboxConnection) {
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

    func close(_ connection: SandboxConnection) {
        guard connections.removeValue(forKey: connection.descriptor.raw) != nil else { return }
        if let watch = connection.watch { loop.unwatch(watch) }
        if let timer = connection.timer { loop.cancel(timer) }
        // The descriptor closes with the connection's last reference.
        acceptAgain()
    }
}
