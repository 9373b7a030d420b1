import EventLoop
import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct DaemonConnectionTests {
    private let directory = TemporaryDirectory()

    private func console(_ pipe: Pipe) -> Console {
        var console = Console()
        console.output = pipe.writing
        return console
    }

    @Test func `a silent daemon causes a timeout at the deadline`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in _ = try connection.rest() }
        let pipe = Pipe()
        var exchange = DaemonConnection(socket: try UnixSocket.connect(to: daemon.path), console: console(pipe))
        do throws(ClientError) {
            _ = try exchange.nextLine(until: .now)
            Issue.record("expected a timeout, but got a line")
        } catch {
            #expect(error.code == .init(.timeout))
        }
    }

    @Test func `if the daemon does not answer a ping, the request fails before the deadline`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in _ = try connection.rest() }
        let pipe = Pipe()
        var exchange = DaemonConnection(
            socket: try UnixSocket.connect(to: daemon.path),
            console: console(pipe),
            path: daemon.path,
            silenceMax: .milliseconds(1)
        )
        do throws(ClientError) {
            _ = try exchange.ask(.search)
            Issue.record("expected an error, but got an answer")
        } catch {
            #expect(error.code == .silent)
            #expect(error.message == "the server on \(daemon.path) does not answer")
        }
    }

    @Test func `a buffered line is read even after the deadline`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            try connection.send("one\ntwo")
            _ = try connection.rest()
        }
        let pipe = Pipe()
        var exchange = DaemonConnection(socket: try UnixSocket.connect(to: daemon.path), console: console(pipe))
        #expect(try exchange.nextLine() == Array("one".utf8))
        #expect(try exchange.nextLine(until: .now) == Array("two".utf8))
    }

    @Test func `if the daemon does not know a method, the hint suggests a restart`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            try connection.send(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}"# + "\n")
            _ = try connection.rest()
        }
        let pipe = Pipe()
        var exchange = DaemonConnection(socket: try UnixSocket.connect(to: daemon.path), console: console(pipe))
        do throws(ClientError) {
            _ = try exchange.ask(.suggest, within: 10)
            Issue.record("expected an error, but got an answer")
        } catch {
            #expect(error.code == .init(.methodNotFound))
            #expect(error.hint == "Run “searchctl restart”, which starts the installed version.")
        }
    }

    @Test func `data larger than the socket buffers arrives completely`() throws {
        let seen = Seen()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            seen.add(contentsOf: try connection.rest().map { String($0.utf8.count) })
        }
        let pipe = Pipe()
        do {
            var exchange = DaemonConnection(socket: try UnixSocket.connect(to: daemon.path), console: console(pipe))
            for _ in 0..<20 { try exchange.send(line: [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)) }
            try exchange.endSending()
        }
        #expect(seen.wait(for: 1) == [String](repeating: "100000", count: 20))
    }

}

struct LineBufferTests {
    private func drain(_ buffer: inout LineBuffer) throws -> [String] {
        var lines: [String] = []
        while let line = try buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        return lines
    }

    @Test func `lines do not depend on how the bytes are split`() throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<300 {
            let lines = (0..<Int.random(in: 0...20, using: &random)).map { number in
                "\(number)" + String(repeating: "가", count: Int.random(in: 0...30, using: &random))
            }
            var bytes = Array(lines.map { $0 + (Bool.random(using: &random) ? "\n" : "\r\n") }.joined().utf8)[...]
            var buffer = LineBuffer(bytesMax: 1000)
            var read: [String] = []
            while !bytes.isEmpty {
                let chunk = bytes.prefix(Int.random(in: 1...50, using: &random))
                bytes = bytes.dropFirst(chunk.count)
                buffer.append(chunk)
                read += try drain(&buffer)
            }
            #expect(read == lines)
        }
    }

    @Test func `empty lines are skipped, and an incomplete line is kept until it ends`() throws {
        var buffer = LineBuffer(bytesMax: 10)
        buffer.append("\n\r\na\n\nb".utf8)
        #expect(try drain(&buffer) == ["a"])
        buffer.append("c\n".utf8)
        #expect(try drain(&buffer) == ["bc"])
    }

    @Test func `the length of a line is limited`() throws {
        for end in ["\n", "\r\n"] {
            var buffer = LineBuffer(bytesMax: 10)
            buffer.append(("0123456789" + end).utf8)
            #expect(try drain(&buffer) == ["0123456789"])
            buffer.append(("0123456789x" + end).utf8)
            #expect(throws: ClientError.self) { try buffer.next() }
        }
    }

    @Test func `a line that is too long is refused before it is complete`() {
        var buffer = LineBuffer(bytesMax: 10)
        buffer.append("0123456789xx".utf8)
        #expect(throws: ClientError.self) { try buffer.next() }
    }
}

struct MessageTests {
    private func read(_ line: String) throws -> Message {
        try Message.read(Array(line.utf8))
    }

    @Test func `results, errors and notifications are distinguished`() throws {
        guard case .result(id: 3, let result) = try read(#"{"jsonrpc":"2.0","id":3,"result":{"a":1}}"#),
            case .notification(method: "search/hits", let params?) = try read(
                #"{"jsonrpc":"2.0","method":"search/hits","params":{"request":3}}"#
            ),
            case .failure(id: nil, let error) = try read(
                #"{"jsonrpc":"2.0","id":null,"error":{"code":-32008,"message":"full","data":{"kind":"overloaded"}}}"#
            )
        else {
            Issue.record("read as another kind of message")
            return
        }
        #expect(result["a"]?.int == 1)
        #expect(params[.request]?.int == 3)
        #expect(error.code == .init(.overloaded))
    }

    @Test func `an error keeps its data`() throws {
        let line = #"""
            {"id":1,"error":{"code":-32003,"message":"slow down","data":{"kind":"rateLimited","source":"a.b",\#
            "retryAfter":800,"retryable":true,"hint":"Wait"}}}
            """#
        guard case .failure(id: 1, let error) = try read(line) else {
            Issue.record("not an error")
            return
        }
        let expected = ClientError(
            .init(.rateLimited),
            "slow down",
            hint: "Wait",
            source: "a.b",
            retryAfter: .milliseconds(800),
            isRetryable: true
        )
        #expect(error == expected)
    }

    @Test(arguments: [(-32601, "methodNotFound"), (-32602, "invalidParams"), (-32011, "forbidden"), (-1, "internal")])
    func `an error without data is recognised by its number`(number: Int, kind: String) throws {
        guard case .failure(_, let error) = try read(#"{"id":1,"error":{"code":\#(number),"message":"x"}}"#) else {
            Issue.record("not an error")
            return
        }
        #expect(error.code.rawValue == kind)
    }

    @Test(arguments: [
        "", "hello", "{", "[]", "{}", "3", #"{"id":1}"#, #"{"id":"a","result":1}"#, #"{"id":1,"method":"x"}"#,
        #"{"id":1.5,"result":1}"#, "HTTP/1.1 400 Bad Request",
    ])
    func `an invalid message is a protocol error`(line: String) {
        do {
            _ = try read(line)
            Issue.record("expected an error")
        } catch {
            #expect((error as? ClientError)?.code == .protocolViolated)
        }
    }

}
