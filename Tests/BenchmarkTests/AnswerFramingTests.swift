import Testing

@testable import Benchmark

@Suite struct AnswerFramingTests {
    private func frame(_ framing: AnswerFraming, _ text: String) -> AnswerFraming.Frame {
        framing.first(in: Array(text.utf8).span)
    }

    @Test func `a line ends with its line feed`() {
        #expect(frame(.line, "") == .incomplete)
        #expect(frame(.line, "abc") == .incomplete)
        #expect(frame(.line, "abc\nd") == .answer(length: 4, id: nil))
    }

    @Test func `an answer of JSON-RPC tells its id`() {
        let answer = "{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{}}\n"
        #expect(frame(.jsonRPC, answer) == .answer(length: answer.utf8.count, id: 4711))
        #expect(frame(.jsonRPC, answer + answer) == .answer(length: answer.utf8.count, id: 4711))
    }

    @Test(arguments: [
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1111111111111111111111,\"result\":{}}\n",
        "{\"id\":1}\n",
        "\n",
    ])
    func `what is not a result is wrong, and the next line can be read`(_ line: String) {
        #expect(frame(.jsonRPC, line + "rest") == .wrong(length: line.utf8.count))
    }

    @Test func `a bulk string has the length that it tells`() {
        #expect(frame(.bulk, "$5\r\nab\ncd\r\nmore") == .answer(length: 11, id: nil))
        #expect(frame(.bulk, "$0\r\n\r\n") == .answer(length: 6, id: nil))
    }

    @Test func `every beginning of a frame is incomplete`() {
        for (framing, text) in [
            (AnswerFraming.bulk, "$5\r\nabcde\r\n"), (.jsonRPC, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":1}\n"),
            (.line, "xyz\n"),
        ] {
            let bytes = Array(text.utf8)
            for count in 0..<bytes.count {
                #expect(framing.first(in: Array(bytes[..<count]).span) == .incomplete)
            }
            #expect(framing.first(in: bytes.span) != .incomplete)
        }
    }

    @Test func `errors and missing keys of Redis are wrong answers`() {
        #expect(frame(.bulk, "-ERR no\r\n$1") == .wrong(length: 9))
        #expect(frame(.bulk, "$-1\r\n") == .wrong(length: 5))
    }

    @Test func `a bulk string that lies about its length is broken`() {
        #expect(frame(.bulk, "$2\r\nabcd\r\n") == .broken)
        #expect(frame(.bulk, "$12345678901234567890\r\n") == .broken)
    }

    @Test func `an answer may be as long as the limit and no longer`() {
        let most = AnswerFraming.answerBytesMax
        #expect(AnswerFraming.line.first(in: [UInt8](repeating: 120, count: most).span) == .incomplete)
        #expect(AnswerFraming.line.first(in: [UInt8](repeating: 120, count: most + 1).span) == .broken)
        #expect(frame(.bulk, "$\(most)\r\n") == .incomplete)
        #expect(frame(.bulk, "$\(most + 1)\r\n") == .broken)
    }
}
