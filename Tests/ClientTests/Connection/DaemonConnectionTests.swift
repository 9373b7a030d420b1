import EventLoop
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct DaemonConnectionTests {
    private let directory = TemporaryDirectory()

    /// A console whose output nobody has to read.
    private func console(_ pipe: Pipe) -> Console {
        var console = Console()
        console.output = pipe.writing
        return console
    }

    @Test func `a daemon that is silent at the deadline has timed out`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in _ = try connection.rest() }
        let pipe = Pipe()
        var exchange = DaemonConnection(socket: try UnixSocket.connect(to: daemon.path), console: console(pipe))
        do throws(ClientError) {
            _ = try exchange.nextLine(until: .now)
            Issue.record("a line")
        } catch {
            #expect(error.code == .init(.timeout))
        }
    }

    @Test func `a line that is there already is read whatever the deadline`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            try connection.send("one\ntwo")
            _ = try connection.rest()
        }
        let pipe = Pipe()
        var exchange = DaemonConnection(socket: try UnixSocket.connect(to: daemon.path), console: console(pipe))
        #expect(try exchange.nextLine() == Array("one".utf8))
        #expect(try exchange.nextLine(until: .now) == Array("two".utf8))
    }

    @Test func `a method that the daemon does not know is one of a newer program`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            try connection.send(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}"# + "\n")
            _ = try connection.rest()
        }
        let pipe = Pipe()
        var exchange = DaemonConnection(socket: try UnixSocket.connect(to: daemon.path), console: console(pipe))
        do throws(ClientError) {
            _ = try exchange.ask(.suggest, within: 10)
            Issue.record("an answer")
        } catch {
            #expect(error.code == .init(.methodNotFound))
            #expect(error.hint == "“searchctl restart” starts the installed one.")
        }
    }

    @Test func `what is sent while the daemon does not read arrives whole`() throws {
        let seen = Seen()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            seen.add(contentsOf: try connection.rest().map { String($0.utf8.count) })
        }
        let pipe = Pipe()
        do {
            var exchange = DaemonConnection(socket: try UnixSocket.connect(to: daemon.path), console: console(pipe))
            for _ in 0..<20 { try exchange.send(line: [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)) }
            // Whatever the socket did not take goes out while waiting for a line, which never comes.
            while exchange.hasUnsent { _ = try? exchange.nextLine(until: .now.advanced(by: .milliseconds(50))) }
        }
        #expect(seen.wait(for: 1) == [String](repeating: "100000", count: 20))
    }

    @Test func `the wait in milliseconds is rounded up and never negative`() {
        let now = Instant(nanoseconds: 1_000_000_000)
        #expect(now.pollTimeout(from: now) == 0)
        #expect(now.advanced(by: .nanoseconds(1)).pollTimeout(from: now) == 1)
        #expect(now.advanced(by: .milliseconds(5)).pollTimeout(from: now) == 5)
        #expect(now.pollTimeout(from: now.advanced(by: .seconds(1))) == 0)
        #expect(now.advanced(by: .seconds(1 << 40)).pollTimeout(from: now) == .max)
    }
}
