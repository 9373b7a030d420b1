import EventLoop
import Glibc

/// A TCP server that runs a script for each connection, for simple or faulty HTTP responses.
package final class RawServer: Sendable {
    package let port: UInt16
    private let listener: LoopbackListener
    private let thread: WorkerThread

    package init(script: @escaping @Sendable (RawConnection) -> Void) throws {
        let listener = try LoopbackListener()
        port = listener.port
        let raw = listener.descriptor.raw
        // The thread waits in `accept`, so the socket must be in blocking mode.
        _ = fcntl(raw, F_SETFL, 0)
        self.listener = listener
        thread = try WorkerThread {
            while let accepted = try? SystemCall.accept(raw) {
                // The script waits for data, so the connection must be in blocking mode.
                let raw = accepted.release()
                _ = fcntl(raw, F_SETFL, 0)
                let connection = RawConnection(descriptor: raw)
                _ = try? WorkerThread {
                    script(connection)
                    connection.close()
                }
            }
        }
    }

    package func url(_ path: String = "/", scheme: String = "http") -> String {
        "\(scheme)://127.0.0.1:\(port)\(path)"
    }

    deinit {
        // A new descriptor may get the same number, so the thread ends before the descriptor is closed.
        shutdown(listener.descriptor.raw, Int32(SHUT_RDWR))
        thread.join()
    }
}

/// A connection to a `RawServer`, which only the thread of the script uses.
package final class RawConnection: Sendable {
    private let descriptor: Int32

    fileprivate init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// If the client disconnects, returns the part of the head that has arrived.
    @discardableResult
    package func readHead() -> String {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = readByte() { head.append(byte) }
        return String(decoding: head, as: UTF8.self)
    }

    package func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, let byte = readByte() { bytes.append(byte) }
        return bytes
    }

    @discardableResult
    package func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The buffer is valid during the call.
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest.removeFirst(sent)
        }
        return true
    }

    package func answer(_ body: String = "ok", status: String = "200 OK", fields: String = "") {
        send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")
    }

    @discardableResult
    package func waitForClose() -> Bool {
        var silent = true
        while readByte() != nil { silent = false }
        return silent
    }

    package func drip(_ byte: UInt8, everyMilliseconds interval: Int32) {
        while send([byte]) {
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // The structure is a local variable that is valid during the call.
            if unsafe poll(&poller, 1, interval) != 0 { return }
        }
    }

    /// Makes `close` send a reset.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        // The kernel reads at most the size of the local variable.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    package func endOutput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    fileprivate func close() {
        Glibc.close(descriptor)
    }

    private func readByte() -> UInt8? {
        var byte: UInt8 = 0
        // The call reads one byte into the local.
        return unsafe Glibc.read(descriptor, &byte, 1) == 1 ? byte : nil
    }
}

package enum Loopback {
    package static func freePorts(_ count: Int) throws -> [UInt16] {
        guard count > 0 else { return [] }
        let listener = try LoopbackListener()
        // The listener stays open until all ports are found, so the ports are different.
        defer { _ = listener.port }
        return try [listener.port] + freePorts(count - 1)
    }
}
