import CCurl
import Testing

@testable import HTTP

struct FetchErrorTests {
    @Test(arguments: [
        (CURLE_COULDNT_RESOLVE_HOST, FetchError.Code.dns), (CURLE_COULDNT_CONNECT, .connect),
        (CURLE_PEER_FAILED_VERIFICATION, .tls), (CURLE_SSL_CONNECT_ERROR, .tls),
        (CURLE_SSL_CACERT_BADFILE, .tls), (CURLE_RECV_ERROR, .connect), (CURLE_URL_MALFORMAT, .invalidURL),
        (CURLE_OUT_OF_MEMORY, .local), (CURLE_OPERATION_TIMEDOUT, .timeoutConnect),
    ])
    func `a failure before sending has the code of its cause`(curl: CURLcode, code: FetchError.Code) {
        let error = FetchError.curl(curl, detail: "libcurl's words", host: "h", wasSent: false, hasBegun: false)
        #expect(error.code == code)
        #expect(!error.wasSent)
    }

    @Test(arguments: [
        (CURLE_RECV_ERROR, true), (CURLE_SEND_ERROR, true), (CURLE_PARTIAL_FILE, true), (CURLE_GOT_NOTHING, true),
        (CURLE_HTTP2, true), (CURLE_HTTP2_STREAM, true), (CURLE_WEIRD_SERVER_REPLY, false),
        (CURLE_BAD_CONTENT_ENCODING, false), (CURLE_UNSUPPORTED_PROTOCOL, false),
    ])
    func `the error does not contain the text of libcurl if a response has begun`(
        curl: CURLcode,
        isRetryable: Bool
    ) {
        let error = FetchError.curl(curl, detail: "quoting a secret", host: "h", wasSent: true, hasBegun: true)
        #expect(error.code == .protocolError)
        #expect(error.isRetryable == isRetryable)
        #expect(error.wasSent)
        #expect(!error.message.contains("secret"))
    }

    @Test(arguments: [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM])
    func `a failure after sending and before the first byte has the code noResponse`(curl: CURLcode) {
        let error = FetchError.curl(curl, detail: "quoting a secret", host: "h", wasSent: true, hasBegun: false)
        #expect(error.code == .noResponse)
        #expect(error.isRetryable && error.wasSent)
        #expect(!error.message.contains("secret"))
    }

    @Test func `a timeout error has the code of its phase, and contains the limit`() {
        let phases: [(HTTPTransferMachine.Phase, FetchError.Code)] = [
            (.resolve, .timeoutResolve), (.connect, .timeoutConnect), (.firstByte, .timeoutFirstByte),
            (.whole, .timeoutWhole),
        ]
        let limit = Duration.milliseconds(1500)
        let timeouts = FetchTimeouts(resolve: limit, connect: limit, firstByte: limit, whole: limit)
        for (phase, code) in phases {
            let error = FetchError.timeout(phase, timeouts, host: "h")
            #expect(error.code == code)
            #expect(error.isRetryable)
            #expect(error.message.contains("1.5 s"))
        }
    }
}
