import EventLoop
import Glibc

/// A TCP server on loopback that does what a script says, byte by byte: for a few answers over HTTP, and for what no
/// decent server does.
///
/// Each connection has a thread of its own, so scripts simply block.
package final class RawServer: Sendable {
    package let port: UInt16
    private let listener: LoopbackListener
    private let thread: WorkerThread

    package init(script: @escaping @Sendable (RawConnection) -> Void) throws {
        let listener = try LoopbackListener()
        port = listener.port
        let raw = listener.descriptor.raw
        // The thread waits in accept.
        _ = fcntl(raw, F_SETFL, 0)
        self.listener = listener
        thread = try WorkerThread {
            while let accepted = try? SystemCall.accept(raw) {
                // Not inherited by programs that other tests start; blocking, for scripts.
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
        // Wakes the accepting thread, which then ends; only after that may the number be used again.
        shutdown(listener.descriptor.raw, Int32(SHUT_RDWR))
        thread.join()
    }
}

/// One connection of a raw server; used by its script's thread only.
package final class RawConnection: Sendable {
    private let descriptor: Int32

    fileprivate init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The next request's head, or what there was of it when the client left.
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

    /// False when the client has gone.
    @discardableResult
    package func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The buffer is valid for the call.
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest.removeFirst(sent)
        }
        return true
    }

    /// A complete response of HTTP/1.1 that leaves the connection open.
    package func answer(_ body: String = "ok", status: String = "200 OK", fields: String = "") {
        send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")
    }

    /// Returns when the client has closed its side; true when it has sent nothing more before.
    @discardableResult
    package func waitForClose() -> Bool {
        var silent = true
        while readByte() != nil { silent = false }
        return silent
    }

    /// Sends bytes at intervals until the client has gone.
    package func drip(_ byte: UInt8, everyMilliseconds interval: Int32) {
        while send([byte]) {
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // One descriptor, one structure.
            if unsafe poll(&poller, 1, interval) != 0 { return }
        }
    }

    /// Ends the connection with a reset instead of a proper end.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        // The kernel reads as many bytes as the structure has.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Says that nothing more will come, and still listens.
    package func endOutput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    fileprivate func close() {
        Glibc.close(descriptor)
    }

    private func readByte() -> UInt8? {
        var byte: UInt8 = 0
        // One byte into one byte.
        return unsafe Glibc.read(descriptor, &byte, 1) == 1 ? byte : nil
    }
}

package enum Loopback {
    /// Ports that were free a moment ago; another process may take one before it is used.
    package static func freePorts(_ count: Int) throws -> [UInt16] {
        guard count > 0 else { return [] }
        let listener = try LoopbackListener()
        // Listens until the others are found, so that all are different.
        defer { _ = listener.port }
        return try [listener.port] + freePorts(count - 1)
    }
}
