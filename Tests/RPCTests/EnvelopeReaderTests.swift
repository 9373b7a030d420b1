import JSON
import RPC
import SearchModel
import Testing

struct EnvelopeReaderTests {
    private static let ping = ReadMessage.request(id: "1", method: "server/ping", params: nil)
    private static let pingText = #"{"jsonrpc":"2.0","id":1,"method":"server/ping"}"#

    static let messages: [(String, ReadMessage)] = [
        (pingText, ping),
        (#" { "method" : "server/ping" , "id" : 1 , "jsonrpc" : "2.0" } "#, ping),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1]}}"#,
            .request(id: "1", method: "m", params: #"{"a":[1]}"#)
        ),
        (#"{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}"#, .request(id: "1", method: "m", params: "[1]")),
        (#"{"jsonrpc":"2.0","method":"m"}"#, .notification(method: "m", params: nil)),
        (#"{"jsonrpc":"2.0","method":"m","params":{}}"#, .notification(method: "m", params: "{}")),
        (#"{"jsonrpc":"2.0","id":1,"method":"server/ping","meta":{"id":[2]},"Id":3}"#, ping),
        (#"{"jsonrpc":"2.0","id":1,"method":"server/ping","x":1,"x":2}"#, ping),
        (#"{"\u006asonrpc":"2.0","i\u0064":1,"\u006dethod":"server\/ping"}"#, ping),
        (#"{"jsonrpc":"\u0032.0","id":1,"method":"server/ping"}"#, ping),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"m","par\u0061ms":{}}"#, .request(id: "1", method: "m", params: "{}")
        ),
        (#"{"jsonrpc":"2.0","id":1,"method":""}"#, .request(id: "1", method: "", params: nil)),

        ("1", .invalid(.notAnObject, id: nil)),
        ("null", .invalid(.notAnObject, id: nil)),
        (#""server/ping""#, .invalid(.notAnObject, id: nil)),
        ("{}", .invalid(.versionMissing, id: nil)),
        (#"{"id":7}"#, .invalid(.versionMissing, id: "7")),
        (#"{"id":7,"method":"m"}"#, .invalid(.versionMissing, id: "7")),
        (#"{"jsonrpc":"1.0","id":7,"method":"m"}"#, .invalid(.versionMissing, id: "7")),
        (#"{"jsonrpc":2.0,"id":7,"method":"m"}"#, .invalid(.versionMissing, id: "7")),
        (#"{"jsonrpc":"2.0","id":7}"#, .invalid(.methodMissing, id: "7")),
        (#"{"jsonrpc":"2.0","id":7,"result":{}}"#, .invalid(.methodMissing, id: "7")),
        (#"{"jsonrpc":"2.0","id":7,"method":1}"#, .invalid(.methodMissing, id: "7")),
        (#"{"jsonrpc":"2.0","id":7,"method":null}"#, .invalid(.methodMissing, id: "7")),
        (#"{"jsonrpc":"2.0"}"#, .invalid(.methodMissing, id: nil)),
        (#"{"jsonrpc":"2.0","id":7,"method":"m","params":null}"#, .invalid(.paramsInvalid, id: "7")),
        (#"{"jsonrpc":"2.0","id":7,"method":"m","params":1}"#, .invalid(.paramsInvalid, id: "7")),
        (#"{"jsonrpc":"2.0","id":7,"method":"m","params":"a"}"#, .invalid(.paramsInvalid, id: "7")),
        (#"{"jsonrpc":"2.0","method":"m","params":true}"#, .invalid(.paramsInvalid, id: nil)),
        (#"{"jsonrpc":"2.0","id":7,"method":"m","id":8}"#, .invalid(.memberTwice, id: "8")),
        (#"{"jsonrpc":"2.0","id":7,"method":"m","\u0069d":8}"#, .invalid(.memberTwice, id: "8")),
        (#"{"jsonrpc":"2.0","id":7,"method":"m","method":"m"}"#, .invalid(.memberTwice, id: "7")),
        (#"{"jsonrpc":"2.0","id":7,"method":"m","params":{},"params":[]}"#, .invalid(.memberTwice, id: "7")),
        (#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":7,"method":"m"}"#, .invalid(.memberTwice, id: "7")),
        (#"{"jsonrpc":"1.0","jsonrpc":"2.0","id":7,"method":"m"}"#, .invalid(.memberTwice, id: "7")),
        (#"{"jsonrpc":"2.0","jsonrpc":"1.0","id":7,"method":"m"}"#, .invalid(.memberTwice, id: "7")),
    ]

    @Test(arguments: messages) func `messages are read as specified`(text: String, expected: ReadMessage) {
        var reader = EnvelopeReader()
        #expect(reader.line(text) == .one(expected))
    }

    @Test(arguments: messages) func `a message of a batch is read as specified`(text: String, expected: ReadMessage) {
        var reader = EnvelopeReader()
        #expect(reader.line("[\(text)]") == .many([expected]))
        #expect(reader.line("[\(text),[],\(text)]") == .many([expected, .invalid(.notAnObject, id: nil), expected]))
    }

    @Test(arguments: [
        "0", "1", "-1", "-0", "9007199254740993", "123456789012345678901234567890", "null", #""""#, #""a""#,
        #""\u0061\n""#, #""고양이""#, #""2.5""#,
    ])
    func `an id is echoed unchanged`(id: String) {
        var reader = EnvelopeReader()
        let line = reader.line(#"{"jsonrpc":"2.0","id":\#(id),"method":"m"}"#)
        #expect(line == .one(.request(id: id, method: "m", params: nil)))
    }

    @Test(arguments: ["1.0", "2.5", "-0.0", "1e3", "1E0", "true", "false", "{}", "[]", "[1]", #"{"id":1}"#])
    func `an id must be a string, an integer or null`(id: String) {
        var reader = EnvelopeReader()
        let line = reader.line(#"{"jsonrpc":"2.0","id":\#(id),"method":"m"}"#)
        #expect(line == .one(.invalid(.idInvalid, id: nil)))
    }

    @Test(arguments: [("\"", "\""), ("1", "")])
    func `the encoded length of an id is limited to 1,024 bytes`(begin: String, end: String) {
        var reader = EnvelopeReader()
        for (count, isValid) in [(1024, true), (1025, false)] {
            let digits = String(repeating: "7", count: count - begin.utf8.count - end.utf8.count)
            let id = begin + digits + end
            let line = reader.line(#"{"jsonrpc":"2.0","id":\#(id),"method":"m"}"#)
            #expect(line == .one(isValid ? .request(id: id, method: "m", params: nil) : .invalid(.idInvalid, id: nil)))
        }
    }

    @Test func `an empty batch gets one error`() {
        var reader = EnvelopeReader()
        #expect(reader.line("[]") == .one(.invalid(.emptyBatch, id: nil)))
    }

    @Test func `every invalid message of a batch gets an error`() {
        var reader = EnvelopeReader()
        let nothing = ReadMessage.invalid(.notAnObject, id: nil)
        #expect(reader.line("[1,2,3]") == .many([nothing, nothing, nothing]))
        #expect(reader.line(#"[[],{},"a"]"#) == .many([nothing, .invalid(.versionMissing, id: nil), nothing]))
    }

    @Test func `a batch has at most 64 messages`() {
        var reader = EnvelopeReader()
        let full = Array(repeating: Self.pingText, count: Batch.messagesMax).joined(separator: ",")
        #expect(reader.line("[\(full)]") == .many(Array(repeating: Self.ping, count: Batch.messagesMax)))
        #expect(reader.line("[\(full),1]") == .one(.invalid(.batchTooLong, id: nil)))
    }

    @Test func `64 levels of nesting are accepted, and 65 are too deep`() {
        var reader = EnvelopeReader()
        for (levels, isRead) in [(64, true), (65, false)] {
            let params = String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1)
            let line = reader.line(#"{"jsonrpc":"2.0","id":1,"method":"m","params":\#(params)}"#)
            #expect(line == (isRead ? .one(.request(id: "1", method: "m", params: params)) : .refused(.tooDeep)))
        }
        #expect(reader.line(String(repeating: "[", count: 65)) == .refused(.tooDeep))
    }

    @Test func `a line of 1 MiB is accepted, and one byte more is too long`() {
        var reader = EnvelopeReader()
        let short = #"{"jsonrpc":"2.0","id":1,"method":"server/ping","x":""}"#
        for (count, isRead) in [(1 << 20, true), (1 << 20 + 1, false)] {
            let filling = String(repeating: "x", count: count - short.utf8.count)
            let line = reader.line(#"{"jsonrpc":"2.0","id":1,"method":"server/ping","x":"\#(filling)"}"#)
            #expect(line == (isRead ? .one(Self.ping) : .refused(.lineTooLong)))
        }
    }

    @Test(arguments: ["{", "}", "nonsense", #"{"jsonrpc":"2.0","id":1,"method":"m"} x"#, "[1,]", "{'a':1}", "// a"])
    func `invalid JSON is refused`(text: String) {
        var reader = EnvelopeReader()
        #expect(reader.line(text) == .refused(.parseError))
    }

    @Test(
        arguments: [[0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xEA, 0xB3]] as [[UInt8]]
    )
    func `invalid UTF-8 is refused`(bytes: [UInt8]) {
        var reader = EnvelopeReader()
        let begin = Array(#"{"jsonrpc":"2.0","id":1,"method":""#.utf8)
        #expect(reader.line(begin + bytes + Array("\"}".utf8)) == .refused(.parseError))
    }

    @Test func `a refused line does not affect the next line`() {
        var reader = EnvelopeReader()
        for refused in ["{", String(repeating: "[", count: 65), "\u{FEFF}1"] {
            _ = reader.line(refused)
            #expect(reader.line(Self.pingText) == .one(Self.ping))
        }
    }

    @Test(arguments: [
        EnvelopeProblem.notAnObject, .emptyBatch, .batchTooLong, .versionMissing, .methodMissing, .idInvalid,
        .paramsInvalid, .memberTwice,
    ])
    func `every problem is reported as an invalid request, with a hint`(problem: EnvelopeProblem) {
        #expect(problem.error.kind == .invalidRequest)
        #expect(problem.error.retryable == false)
        #expect(problem.error.hint?.hasSuffix(".") == true)
    }
}

struct RequestIDTests {
    private func id(_ text: String) throws -> RequestID {
        var index = JSONIndex(limits: .wire)
        let bytes = Array(text.utf8)
        try index.index(bytes)
        // The id copies its text while the buffer is valid.
        return try #require(unsafe bytes.withUnsafeBytes { unsafe RequestID(index[0], in: $0) })
    }

    @Test(arguments: [
        (#""a""#, #""\u0061""#), (#""/""#, #""\/""#), (#""\n""#, #""\u000a""#), (#""\u000A""#, #""\u000a""#),
        ("\"\u{7F}\"", #""\u007f""#), ("\"\u{2028}\"", #""\u2028""#), ("\"é\"", #""\u00e9""#),
        ("\"🐱\"", #""\ud83d\uDC31""#), (#""\"\\""#, #""\u0022\u005c""#), ("\"\u{80}\"", #""\u0080""#),
    ])
    func `ids are equal if their decoded strings are equal`(plain: String, escaped: String) throws {
        let (plain, escaped) = try (id(plain), id(escaped))
        #expect(plain == escaped)
        #expect(Set([plain, escaped]).count == 1)
        #expect(plain.text != escaped.text)
    }

    @Test(arguments: [
        ("1", #""1""#), ("null", #""null""#), (#""a""#, #""b""#), (#""A""#, #""a""#), (#""\u0061""#, #""\u0062""#),
        ("1", "10"), (#""\\u0061""#, #""\u0061""#), ("\"e\u{301}\"", "\"\u{E9}\""),
    ])
    func `ids with different types or values are not equal`(left: String, right: String) throws {
        #expect(try id(left) != id(right))
    }

    @Test func `an id that is null is read as the null id`() throws {
        #expect(try id("null") == .null)
        #expect(RequestID.null.text == Array("null".utf8))
    }
}

/// A copy of a message that the reader has read.
enum ReadMessage: Equatable {
    case request(id: String, method: String, params: String?)
    case notification(method: String, params: String?)
    case invalid(EnvelopeProblem, id: String?)
}

/// The result of reading a line: one message, a batch or an error.
enum ReadLine: Equatable {
    case one(ReadMessage)
    case many([ReadMessage])
    case refused(SearchError.Kind)
}

extension EnvelopeReader {
    mutating func line(_ bytes: [UInt8]) -> ReadLine {
        // All data from the buffer is copied before the closure ends.
        unsafe bytes.withUnsafeBytes { line in
            switch unsafe read(line) {
            case .refused(let error): .refused(error.kind)
            case .message(let envelope): unsafe .one(message(envelope, line))
            case .batch(let places):
                .many(
                    places.map { range in
                        let text = unsafe UnsafeRawBufferPointer(rebasing: line[range])
                        let envelope = unsafe readMessage(text)
                        return unsafe message(envelope, text)
                    }
                )
            }
        }
    }

    mutating func line(_ text: String) -> ReadLine {
        line(Array(text.utf8))
    }

    private func message(_ envelope: Envelope, _ line: UnsafeRawBufferPointer) -> ReadMessage {
        let id = envelope.id.flatMap { unsafe RequestID($0, in: line) }.map { String(decoding: $0.text, as: UTF8.self) }
        let method = envelope.method.flatMap { unsafe JSONEntry.name(of: $0, in: line) }
        let params = envelope.params.map { unsafe String(decoding: line[index[$0].range], as: UTF8.self) }
        switch envelope.shape {
        case .request: return .request(id: id ?? "none", method: method ?? "none", params: params)
        case .notification: return .notification(method: method ?? "none", params: params)
        case .invalid(let problem): return .invalid(problem, id: id)
        }
    }
}
