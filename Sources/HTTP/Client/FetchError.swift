import CCurl
import EventLoop

/// The error of a request without a response.
///
/// An HTTP status is never an error here. The texts contain at most the host, because paths, queries, fields and bodies
/// may contain keys and searches. Errors are equal if their codes are.
package struct FetchError: Error, Equatable, Sendable {
    package enum Code: String, Sendable {
        /// The URL is not valid for `FetchURL`.
        case invalidURL
        /// The method, a field or the body is not valid.
        case invalidRequest
        case dns
        case connect
        case tls
        /// The connection closed after the request was sent and before a response arrived.
        case noResponse
        /// This machine has no route to the network, or no name server answers.
        case offline
        /// No name server answered.
        case timeoutResolve
        case timeoutConnect
        case timeoutFirstByte
        case timeoutWhole
        /// The body or the head is too large.
        case tooLarge
        /// A redirect that is not allowed, or too many redirects.
        case redirect
        /// The response is incomplete or violates HTTP.
        case protocolError
        case addressRefused
        /// Too many requests are under way, too many responses are held, or too many files are open.
        case overloaded
        case cancelled
        /// The client was shut down.
        case closed
        /// An internal failure of libcurl or the kernel.
        case local
    }

    package let code: Code
    package let message: String
    package var hint: String?
    /// Whether the same request may succeed later.
    package var isRetryable = false
    /// Whether part of the request may have reached the server; if false, it certainly does not count for a quota.
    package var wasSent = false

    package static func == (left: FetchError, right: FetchError) -> Bool {
        left.code == right.code
    }
}

/// Errors that the client detects itself.
extension FetchError {
    static func invalidURL(_ reason: String) -> FetchError {
        FetchError(code: .invalidURL, message: "not a valid URL: \(reason)")
    }

    static func invalidRequest(_ reason: String) -> FetchError {
        FetchError(code: .invalidRequest, message: "not a valid request: \(reason)")
    }

    package static let offline = FetchError(
        code: .offline,
        message: "This machine is offline.",
        hint: "Check the network connection. Cached results are still available.",
        isRetryable: true
    )

    static let cancelled = FetchError(code: .cancelled, message: "the request was cancelled")

    static let closed = FetchError(code: .closed, message: "the HTTP client was shut down")

    static func overloaded(exchangesMax: Int) -> FetchError {
        FetchError(
            code: .overloaded,
            message: "\(exchangesMax) requests are under way already",
            hint: "Try again in a moment.",
            isRetryable: true
        )
    }

    static func tooManyFilesOpen(host: String) -> FetchError {
        FetchError(
            code: .overloaded,
            message: "could not connect to \(host): too many open files",
            hint: "Try again in a moment, or raise the limit of open files.",
            isRetryable: true
        )
    }

    static func tooManyBodies(host: String) -> FetchError {
        FetchError(
            code: .overloaded,
            message: "no memory for the response of \(host): too many large responses are in use",
            hint: "Try again in a moment.",
            isRetryable: true
        )
    }

    static func tooLarge(_ what: String, host: String) -> FetchError {
        FetchError(code: .tooLarge, message: "the response of \(host) has \(what)")
    }

    static func malformed(_ what: String, host: String) -> FetchError {
        FetchError(code: .protocolError, message: "the response of \(host) has \(what)")
    }

    static func cut(_ how: String, host: String) -> FetchError {
        FetchError(
            code: .protocolError,
            message: "incomplete response of \(host): \(how)",
            isRetryable: true,
            wasSent: true
        )
    }

    static func noResponse(_ how: String, host: String) -> FetchError {
        FetchError(
            code: .noResponse,
            message: "\(host) closed the connection without a response: \(how)",
            isRetryable: true,
            wasSent: true
        )
    }

    static func redirect(_ what: String, host: String) -> FetchError {
        FetchError(code: .redirect, message: "\(host) redirects \(what)")
    }

    static func addressRefused(host: String) -> FetchError {
        FetchError(
            code: .addressRefused,
            message: "the address of \(host) is not allowed for this source",
            hint: "This machine and private networks must be allowed in the configuration."
        )
    }

    static func timeout(_ phase: HTTPTransferMachine.Phase, after limit: Duration, host: String) -> FetchError {
        let seconds = limit.milliseconds / 1000
        let network = "Check the network and the name server."
        let (code, message, hint): (Code, String, String?) =
            switch phase {
            case .resolve:
                (
                    .timeoutResolve,
                    "the name \(host) can't be resolved: no name server answered within \(seconds) s", network
                )
            case .connect: (.timeoutConnect, "no connection to \(host) within \(seconds) s", network)
            case .firstByte: (.timeoutFirstByte, "timed out waiting for \(host) (\(seconds) s)", nil)
            case .whole: (.timeoutWhole, "timed out waiting for the complete response of \(host) (\(seconds) s)", nil)
            }
        return FetchError(code: code, message: message, hint: hint, isRetryable: true)
    }
}

extension FetchError {
    /// `CURLE_TOO_LARGE`, which older headers do not define.
    private static let tooLargeInLibcurl = CURLcode(100)

    /// Converts a result code of libcurl.
    ///
    /// `hasBegun` is true if part of a response was received. `detail` is libcurl's text. It is used only for failures before
    /// the request was sent, where it is about hosts and certificates; later it could quote the server.
    static func curl(
        _ code: CURLcode,
        detail: String,
        host: String,
        wasSent: Bool,
        hasBegun: Bool
    ) -> FetchError {
        let text = detail.isEmpty || wasSent ? describe(code) : detail
        switch code {
        case CURLE_URL_MALFORMAT:
            return invalidURL("libcurl does not accept it")
        case CURLE_COULDNT_RESOLVE_HOST:
            return FetchError(
                code: .dns,
                message: "the name \(host) can't be resolved",
                hint: "Check the name and the name server.",
                isRetryable: true
            )
        case CURLE_OPERATION_TIMEDOUT where !wasSent:
            return FetchError(code: .timeoutConnect, message: "no connection to \(host): \(text)", isRetryable: true)
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
            return connect(text, host: host)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_INVALIDCERTSTATUS:
            return FetchError(
                code: .tls,
                message: "no secure connection to \(host): \(text)",
                hint: "Check the clock and the certificates.",
                isRetryable: code == CURLE_SSL_CONNECT_ERROR
            )
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            guard wasSent else { return connect(text, host: host) }
            return hasBegun ? cut(describe(code), host: host) : noResponse(describe(code), host: host)
        // libcurl reports a header line that exceeds its buffer as out of memory; later versions have a separate code.
        case CURLE_OUT_OF_MEMORY where wasSent, tooLargeInLibcurl where wasSent:
            var error = tooLarge("a header line that is too large", host: host)
            error.wasSent = wasSent
            return error
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL:
            var error = malformed("an HTTP error: \(describe(code))", host: host)
            error.wasSent = wasSent
            return error
        default:
            return FetchError(
                code: .local,
                message: "internal error in the request to \(host): \(describe(code))",
                wasSent: wasSent
            )
        }
    }

    /// Whether a lookup failed because no descriptor was left, which the resolver does not report.
    static func isForWantOfDescriptors(_ code: CURLcode) -> Bool {
        code == CURLE_COULDNT_RESOLVE_HOST && ccurl_lacks_descriptors() != 0
    }

    private static func connect(_ text: String, host: String) -> FetchError {
        FetchError(
            code: .connect,
            message: "no connection to \(host): \(text)",
            hint: "Check the network, or whether the server is up.",
            isRetryable: true
        )
    }

    private static func describe(_ code: CURLcode) -> String {
        // libcurl returns a static string for each code.
        unsafe String(cString: curl_easy_strerror(code))
    }
}
