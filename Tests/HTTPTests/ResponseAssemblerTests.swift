import Testing

@testable import HTTP

struct ResponseAssemblerTests {
    private func line(_ text: String) -> HeadLine {
        HeadLine(Array(text.utf8).span)
    }

    /// Feeds lines and body pieces; returns the first error and the assembler.
    private func feed(
        _ lines: [String],
        body: [String] = [],
        bodyBytesMax: Int = 100,
        isAnswerToHead: Bool = false
    ) -> (refusal: ResponseAssembler.Refusal?, assembler: ResponseAssembler) {
        var assembler = ResponseAssembler(bodyBytesMax: bodyBytesMax, isAnswerToHead: isAnswerToHead)
        for line in lines {
            let bytes = Array("\(line)\r\n".utf8)
            if let refusal = assembler.received(headLine: bytes.span) { return (refusal, assembler) }
        }
        for piece in body {
            if let refusal = assembler.received(body: Array(piece.utf8).span) { return (refusal, assembler) }
        }
        return (nil, assembler)
    }

    // MARK: Lines

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", HeadLine.status(200)), ("HTTP/2 404 \r\n", .status(404)),
        ("HTTP/1.0 100", .status(100)),
        ("HTTP/1.1 20 OK", .malformed), ("HTTP/1.1 2000 OK", .malformed), ("HTTP/1.1 099 OK", .malformed),
        ("HTTP/1.1 2x0 OK", .malformed), ("HTTP/1.1", .malformed), ("HTTP/1.1 ", .malformed),
        ("Name: value\r\n", .field(name: "Name", value: "value")), ("a:", .field(name: "a", value: "")),
        ("a: \t b c \t\r\n", .field(name: "a", value: "b c")), ("a:b:c", .field(name: "a", value: "b:c")),
        ("a: \u{C774}", .field(name: "a", value: "\u{C774}")),
        ("no colon", .malformed), (": nameless", .malformed), (" folded: x", .malformed), ("a b: c", .malformed),
        ("\r\n", .blank), ("\n", .blank), ("", .blank),
    ])
    func `a line of a head is parsed or refused`(text: String, expected: HeadLine) {
        #expect(line(text) == expected)
    }

    @Test func `bytes that are not valid UTF-8 are repaired`() {
        let bytes: [UInt8] = [0x61, 0x3A, 0xFF, 0x62]
        #expect(HeadLine(bytes.span) == .field(name: "a", value: "\u{FFFD}b"))
    }

    // MARK: Responses

    @Test func `pieces are assembled to one response`() {
        let fed = feed(["HTTP/1.1 200 OK", "A: 1", "B: 2", ""], body: ["one", "", "two"])
        #expect(fed.refusal == nil)
        #expect(fed.assembler.isHeadComplete)
        let fields = HTTPFields([("A", "1"), ("B", "2")])
        #expect(fed.assembler.response() == HTTPResponse(status: 200, fields: fields, body: Array("onetwo".utf8)))
    }

    @Test func `interim heads and trailers are dropped`() {
        let lines = ["HTTP/1.1 103 Early", "A: 1", "", "HTTP/1.1 200 OK", "B: 2", "", "C: 3", "HTTP/1.1 500 No", ""]
        let fed = feed(lines)
        #expect(fed.refusal == nil)
        #expect(fed.assembler.response() == HTTPResponse(status: 200, fields: HTTPFields([("B", "2")])))
    }

    @Test func `an interim head alone is not a response`() {
        #expect(!feed(["HTTP/1.1 103 Early", ""]).assembler.isHeadComplete)
    }

    @Test func `fields about the encoded body are removed after decoding`() {
        let fed = feed(["HTTP/1.1 200 OK", "Content-Encoding: br", "Content-Length: 3", "A: 1", ""], body: ["decoded"])
        #expect(fed.assembler.response().fields == HTTPFields([("A", "1")]))
    }

    @Test(arguments: ["x", "-1", "1 2", "99999999999999999999", ""])
    func `a length that is not a number is refused`(length: String) {
        let refusal = feed(["HTTP/1.1 200 OK", "Content-Length: \(length)"]).refusal
        #expect(refusal == .malformed("contradictory or invalid lengths"))
    }

    @Test func `two lengths must be equal`() {
        let same = ["HTTP/1.1 200 OK", "Content-Length: 1", "content-length: 1", ""]
        #expect(feed(same).refusal == nil)
        let different = ["HTTP/1.1 200 OK", "Content-Length: 1", "content-length: 2", ""]
        #expect(feed(different).refusal != nil)
    }

    @Test func `a field before the status line is refused`() {
        #expect(feed(["A: 1"]).refusal == .malformed("an invalid status line"))
    }

    // MARK: Limits

    @Test func `the number of lines of a head is limited`() {
        let fields = Array(repeating: "A: 1", count: ResponseAssembler.headLinesMax - 2)
        #expect(feed(["HTTP/1.1 200 OK"] + fields + [""]).refusal == nil)
        #expect(feed(["HTTP/1.1 200 OK"] + fields + ["A: 1", ""]).refusal == .headTooLarge)
    }

    @Test func `the size of a head is limited`() {
        let status = "HTTP/1.1 200 OK"
        // Each line has two bytes for its end, and the blank one has only those.
        let rest = ResponseAssembler.headBytesMax - status.utf8.count - 2 - 2 - 2
        let longest = "A:" + String(repeating: "x", count: rest - 2)
        #expect(feed([status, longest, ""]).refusal == nil)
        #expect(feed([status, longest + "x", ""]).refusal == .headTooLarge)
    }

    @Test func `the size of a body is limited`() {
        #expect(feed(["HTTP/1.1 200 OK", ""], body: ["123", "45"], bodyBytesMax: 5).refusal == nil)
        #expect(feed(["HTTP/1.1 200 OK", ""], body: ["123", "456"], bodyBytesMax: 5).refusal == .bodyTooLarge)
    }

    @Test func `Content-Length is checked before the body arrives, except for responses without a body`() {
        let head = ["Content-Length: 6", ""]
        #expect(feed(["HTTP/1.1 200 OK"] + head, bodyBytesMax: 5).refusal == .bodyTooLarge)
        #expect(feed(["HTTP/1.1 200 OK"] + head, bodyBytesMax: 6).refusal == nil)
        #expect(feed(["HTTP/1.1 304 Same"] + head, bodyBytesMax: 5).refusal == nil)
        #expect(feed(["HTTP/1.1 200 OK"] + head, bodyBytesMax: 5, isAnswerToHead: true).refusal == nil)
    }
}
