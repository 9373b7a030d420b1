import CCurl
import EventLoop

/// The reason that a request got no response.
///
/// An HTTP status is never an error here. Neither text repeats a URL's path or query, a field's value or a body, since
/// those carry keys and what people search for: at most the host is named. Equality is on the code.
package struct FetchError: Error, Equatable, Sendable {
    package enum Code: String, Sendable {
        /// The URL is not of the form that `FetchURL` accepts.
        case invalidURL
        /// The method, a field or the body can't be sent as it is.
        case invalidRequest
        case dns
        case connect
        case tls
        /// The connection closed after the request had left and before the first byte of a response.
        case noResponse
        /// This machine has no way to the network, or no name server answers.
        case offline
        /// No name server has answered.
        case timeoutResolve
        case timeoutConnect
        case timeoutFirstByte
        case timeoutWhole
        /// The body, or the head, is larger than allowed.
        case tooLarge
        /// A redirect that the request does not allow, or one too many.
        case redirect
        /// The response is cut or breaks the rules of HTTP.
        case protocolError
        case addressRefused
        /// Too many requests are under way, too many responses are held, or too many files are open.
        case overloaded
        case cancelled
        /// The client has been shut down.
        case closed
        /// libcurl or the kernel failed in a way that says nothing about the other end.
        case local
    }

    package let code: Code
    package let message: String
    package var hint: String?
    /// Whether the same request may succeed when sent again later.
    package var isRetryable = false
    /// Whether some of the request may have reached the other end; false means that it certainly counts for no quota.
    package var wasSent = false

    package static func == (left: FetchError, right: FetchError) -> Bool {
        left.code == right.code
    }
}

/// The errors that the client finds itself.
extension FetchError {
    static func invalidURL(_ reason: String) -> FetchError {
        FetchError(code: .invalidURL, message: "the URL can't be fetched: \(reason)")
    }

    static func invalidRequest(_ reason: String) -> FetchError {
        FetchError(code: .invalidRequest, message: "the request can't be sent: \(reason)")
    }

    package static let offline = FetchError(
        code: .offline,
        message: "This machine is offline.",
        hint: "Check the network connection. Cached answers still work.",
        isRetryable: true
    )

    static let cancelled = FetchError(code: .cancelled, message: "the request was cancelled")

    static let closed = FetchError(code: .closed, message: "the HTTP client has been shut down")

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
            message: "no connection to \(host) can be opened: too many files are open here",
            hint: "Try again in a moment, or raise the limit on open files.",
            isRetryable: true
        )
    }

    static func tooManyBodies(host: String) -> FetchError {
        FetchError(
            code: .overloaded,
            message: "the response of \(host) finds no room: too many large responses have not been read yet",
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
            message: "the response of \(host) is cut: \(how)",
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
            message: "\(host) has an address that this source may not reach",
            hint: "A source reaches this machine and private networks only where the configuration allows it."
        )
    }

    static func timeout(_ phase: HTTPTransferMachine.Phase, _ timeouts: FetchTimeouts, host: String) -> FetchError {
        func within(_ limit: Duration) -> String { "within \(limit.milliseconds / 1000) s" }
        let network = "Check the network and the name server."
        let (code, message, hint): (Code, String, String?) =
            switch phase {
            case .resolve:
                (
                    .timeoutResolve,
                    "the name \(host) can't be resolved: no name server has answered \(within(timeouts.resolve))",
                    network
                )
            case .connect: (.timeoutConnect, "no connection to \(host) \(within(timeouts.connect))", network)
            case .firstByte: (.timeoutFirstByte, "\(host) has not begun to answer \(within(timeouts.firstByte))", nil)
            case .whole: (.timeoutWhole, "\(host) has not answered completely \(within(timeouts.whole))", nil)
            }
        return FetchError(code: code, message: message, hint: hint, isRetryable: true)
    }
}

extension FetchError {
    /// `CURLE_TOO_LARGE`, which older headers don't have.
    private static let tooLargeInLibcurl = CURLcode(100)

    /// What libcurl's result code means to a caller.
    ///
    /// `hasBegun` says whether anything of a response has come. `detail` is libcurl's own text: it is repeated only for
    /// failures before anything was sent, when it is about hosts and certificates. Later it could quote the server.
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
        // libcurl collects a header line before it passes it on, and reports "out of memory" if the line exceeds its
        // buffer. Later versions have a code for it.
        case CURLE_OUT_OF_MEMORY where wasSent, tooLargeInLibcurl where wasSent:
            var error = tooLarge("a header line larger than this client takes", host: host)
            error.wasSent = wasSent
            return error
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL:
            var error = malformed("a form that HTTP does not allow: \(describe(code))", host: host)
            error.wasSent = wasSent
            return error
        default:
            return FetchError(
                code: .local,
                message: "the request to \(host) failed here: \(describe(code))",
                wasSent: wasSent
            )
        }
    }

    /// Whether a name could not be looked up because no descriptor was left for asking: the resolver does not tell.
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
        CurlLibrary.prepare()
        // libcurl returns a static string for every code.
        return unsafe String(cString: ccurl_easy_strerror(code))
    }
}
