import JSON
import RPC
import SearchModel
import Testing

struct MessageWriterTests {
    private func written(_ write: (inout JSONWriter) -> Void) throws -> JSONValue {
        var writer = JSONWriter()
        write(&writer)
        #expect(!writer.bytes.contains(UInt8(ascii: "\n")))
        return try JSONDocument(writer.bytes).root.value
    }

    @Test func `a failure keeps the original text of the id`() throws {
        let id = RequestID(text: Array(#""\u0061""#.utf8), hasEscapes: true)
        var writer = JSONWriter()
        MessageWriter.failure(id, SearchError(.internal, "a defect"), to: &writer)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text.hasPrefix(#"{"jsonrpc":"2.0","id":"\u0061","error":{"#))
    }

    @Test func `a notification has a method and parameters`() throws {
        let message = try written { writer in
            MessageWriter.notification("search/hits", to: &writer) { $0.value(["request": 1]) }
        }
        #expect(message == ["jsonrpc": "2.0", "method": "search/hits", "params": ["request": 1]])
    }

    @Test func `a failure has all known members`() throws {
        let error = SearchError(
            .quotaExhausted,
            "the day's calls are \"spent\"\n",
            source: SourceName("kakao.blog"),
            retryable: true,
            retryAfter: .milliseconds(1500),
            resetsAt: "2026-01-01T00:00:00+09:00",
            hint: "Come back tomorrow.",
            path: "params.sources"
        )
        let id = RequestID(text: Array("7".utf8), hasEscapes: false)
        let message = try written { MessageWriter.failure(id, error, to: &$0) }
        #expect(
            message == [
                "jsonrpc": "2.0", "id": 7,
                "error": [
                    "code": -32004, "message": "the day's calls are \"spent\"\n",
                    "data": [
                        "kind": "quotaExhausted", "source": "kakao.blog", "path": "params.sources", "retryable": true,
                        "retryAfter": 1500, "resetsAt": "2026-01-01T00:00:00+09:00", "hint": "Come back tomorrow.",
                    ],
                ],
            ]
        )
    }

    @Test func `members without a value are omitted`() throws {
        let message = try written { MessageWriter.failure(.null, SearchError(.internal, "a defect"), to: &$0) }
        #expect(
            message == [
                "jsonrpc": "2.0", "id": nil,
                "error": ["code": -32603, "message": "a defect", "data": ["kind": "internal"]],
            ]
        )
    }

    @Test(arguments: [
        (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.nanoseconds(1_000_001), 2),
        (.seconds(2), 2000), (Duration(secondsComponent: 0, attosecondsComponent: 1), 1), (.seconds(-3), 0),
        (.milliseconds(-1), 0),
        (.seconds(Int64.max), Int.max), (.seconds(Int64.min), 0),
    ])
    func `retryAfter is in whole milliseconds, rounded up and limited`(wait: Duration, milliseconds: Int) throws {
        let error = SearchError(.rateLimited, "wait", retryAfter: wait)
        let message = try written { MessageWriter.error(error, to: &$0) }
        #expect(message["data"]?["retryAfter"]?.int == milliseconds)
    }
}
