import JSON
import RPC
import SearchModel
import Testing

@testable import Client

struct MessageTests {
    private func read(_ line: String) throws -> Message {
        try Message.read(Array(line.utf8))
    }

    @Test func `results, errors and notifications are told apart`() throws {
        guard case .result(id: 3, let result) = try read(#"{"jsonrpc":"2.0","id":3,"result":{"a":1}}"#),
            case .notification(method: "search/hits", let params?) = try read(
                #"{"jsonrpc":"2.0","method":"search/hits","params":{"request":3}}"#
            ),
            case .failure(id: nil, let error) = try read(
                #"{"jsonrpc":"2.0","id":null,"error":{"code":-32008,"message":"full","data":{"kind":"overloaded"}}}"#
            )
        else {
            Issue.record("read as something else")
            return
        }
        #expect(result["a"]?.int == 1)
        #expect(params[.request]?.int == 3)
        #expect(error.code == .init(.overloaded))
    }

    @Test func `an error keeps what its data says`() throws {
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
    func `an error without data is known by its number`(number: Int, kind: String) throws {
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
    func `what is no message violates the protocol`(line: String) {
        do {
            _ = try read(line)
            Issue.record("read")
        } catch {
            #expect((error as? ClientError)?.code == .protocolViolated)
        }
    }

    @Test func `our requests are one line of JSON`() throws {
        let line = RequestLine.request(7, "search", params: Array(#"{"query":"고양이"}"#.utf8))
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"{"jsonrpc":"2.0","id":7,"method":"search","params":{"query":"고양이"}}"#
        )
        #expect(
            String(decoding: RequestLine.cancellation(of: 7), as: UTF8.self)
                == #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}"#
        )
    }
}
