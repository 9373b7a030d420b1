import CPlatform
import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

/// A client that blocks while it waits.
///
/// While it sends, it also reads, so the daemon can always write.
final class TestClient {
    private let socket: FileDescriptor
    private let secrets: [String]
    private var input: [UInt8] = []
    private var start = 0
    private var hasEnded = false
    /// Messages that the client read while it waited for another message.
    private var stash: [JSONValue] = []
    private var lastID = 0
    private var asked: [Int: String] = [:]
    /// Set this to false if messages are large, because the check takes time.
    var checksContract = true

    /// The test fails if a received line contains one of the secrets.
    init(_ path: String, secrets: [String] = []) throws {
        socket = try UnixAddress(path).connect()
        self.secrets = secrets
        let flags = fcntl(socket.raw, F_GETFL)
        guard fcntl(socket.raw, F_SETFL, flags | O_NONBLOCK) == 0 else { throw TestFailure("fcntl") }
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            sent += try sendSome(bytes[sent...])
            if sent == bytes.count { return }
            let ready = try wait(for: Int16(POLLOUT | POLLIN), "room to send")
            if ready & Int16(POLLIN) != 0 { try receive() }
        }
    }

    /// Sends as many bytes as the socket accepts, without reading.
    func sendSome(_ bytes: ArraySlice<UInt8>) throws -> Int {
        let descriptor = socket.raw
        // The slice is valid during the call.
        let count = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count >= 0 { return count }
        guard platform_errno() == EAGAIN else { throw TestFailure("send: errno \(platform_errno())") }
        return 0
    }

    @discardableResult
    func ask(_ method: String, _ params: String? = nil) throws -> Int {
        lastID += 1
        asked[lastID] = method
        try send(Self.request("\(lastID)", method, params))
        return lastID
    }

    static func request(_ id: String, _ method: String, _ params: String? = nil) -> String {
        let tail = params.map { ",\"params\":\($0)" } ?? ""
        return "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\"\(tail)}\n"
    }

    func notify(_ method: String, _ params: String) throws {
        try send("{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":\(params)}\n")
    }

    func closeWriting() {
        _ = shutdown(socket.raw, Int32(SHUT_WR))
    }

    func call(_ method: String, _ params: String? = nil) throws -> JSONValue {
        try answer(to: try ask(method, params))
    }

    func answer(to id: Int) throws -> JSONValue {
        try answer(to: .number(JSONNumber(id)))
    }

    /// Waits for the answer.
    ///
    /// Messages that arrive before the answer are kept for `message`.
    func answer(to id: JSONValue) throws -> JSONValue {
        func isAnswer(_ message: JSONValue) -> Bool { message["id"] == id && message["method"] == nil }
        if let index = stash.firstIndex(where: isAnswer) { return stash.remove(at: index) }
        while true {
            let message = try parsedLine(awaiting: "the answer to \(id)")
            if isAnswer(message) { return message }
            stash.append(message)
        }
    }

    func message() throws -> JSONValue {
        try stash.isEmpty ? parsedLine(awaiting: "a message") : stash.removeFirst()
    }

    func line(awaiting what: String = "a line") throws -> [UInt8] {
        var searched = start
        while true {
            if let end = lineFeed(from: searched) {
                let line = Array(input[start..<end])
                start = end + 1
                if start > 1 << 20 || start == input.count {
                    input.removeFirst(start)
                    start = 0
                }
                check(line)
                return line
            }
            searched = input.count
            guard !hasEnded else { throw TestFailure("the connection ended while waiting for \(what)") }
            _ = try wait(for: Int16(POLLIN), what)
            try receive()
        }
    }

    /// Checks the next line, but does not parse it, so this is faster than `answer`.
    func expectAnswer(to id: String, holding text: String = "", _ location: SourceLocation = #_sourceLocation) throws {
        let line = try line(awaiting: "the answer to \(id)")
        let start = Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":{".utf8)
        #expect(
            line.starts(with: start),
            "\(String(decoding: line.prefix(100), as: UTF8.self))",
            sourceLocation: location
        )
        #expect(line.holds(text), sourceLocation: location)
        #expect(line.suffix(2) == Array("}}".utf8)[...], sourceLocation: location)
    }

    func end() throws {
        guard stash.isEmpty else { throw TestFailure("received \(stash[0]) instead of the end") }
        while !hasEnded {
            _ = try wait(for: Int16(POLLIN), "the end of the connection")
            try receive()
        }
        guard start == input.count else {
            throw TestFailure("\(String(decoding: input[start...].prefix(200), as: UTF8.self)) preceded the end")
        }
    }

    private func parsedLine(awaiting what: String) throws -> JSONValue {
        let line = try line(awaiting: what)
        do {
            let message = try JSONDocument(line).root.value
            checkContract(message)
            return message
        } catch {
            throw TestFailure("\(error.message): \(String(decoding: line.prefix(300), as: UTF8.self))")
        }
    }

    private func lineFeed(from start: Int) -> Int? {
        // The search stays within the array, which is valid during the call.
        unsafe input.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress else { return nil }
            return unsafe memchr(base + start, 10, bytes.count - start).map { unsafe UnsafeRawPointer($0) - base }
        }
    }

    private func check(_ line: [UInt8]) {
        for secret in secrets where line.holds(secret) {
            Issue.record("a secret is in \(String(decoding: line.prefix(300), as: UTF8.self))")
        }
    }

    private func checkContract(_ message: JSONValue) {
        guard checksContract else { return }
        let problems = ContractCheck.whole.problems(in: message, to: message["id"]?.int.flatMap { asked[$0] })
        if !problems.isEmpty { Issue.record("violates the contract: \(problems.prefix(5).joined(separator: "; "))") }
    }

    private func receive() throws {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe read(socket.raw, &chunk, chunk.count)
        if count > 0 {
            input += chunk[..<count]
        } else if count == 0 || platform_errno() == ECONNRESET {
            hasEnded = true
        } else if platform_errno() != EAGAIN {
            throw TestFailure("read: errno \(platform_errno())")
        }
    }

    private func wait(for events: Int16, _ what: String) throws -> Int16 {
        try Waiting.wait(socket.raw, for: events, what)
    }
}

extension [UInt8] {
    func holds(_ text: String) -> Bool {
        count(of: text, atMost: 1) > 0
    }

    func count(of text: String, atMost limit: Int = .max) -> Int {
        // Both texts end with NUL and are valid during the call.
        unsafe (self + [0]).withUnsafeBytes { bytes in
            var count = 0
            var place = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
            while count < limit, let start = unsafe place, let found = unsafe strstr(start, text) {
                count += 1
                unsafe place = UnsafePointer(found + 1)
            }
            return count
        }
    }

    var hitsText: String {
        let text = String(decoding: self, as: UTF8.self)
        guard let start = text.firstRange(of: "\"hits\":[")?.lowerBound, let end = text.firstRange(of: "],\"sources\":")
        else { return "no hits" }
        return String(text[start..<end.lowerBound])
    }
}
