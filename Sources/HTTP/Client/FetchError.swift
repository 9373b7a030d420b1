import CCurl
import EventLoop

/// Why a request got no response.
///
/// The texts contain no path, query, header or body, because these can be private.
package struct FetchError: Error, Equatable, Sendable {
    package enum Code: String, Sendable {
        case invalidURL
        case invalidRequest
        case dns
        case connect
        case tls
        /// The server closed the connection before a response began.
        case noResponse
        /// This machine has no route to the internet, or no name server answers.
        case offline
        case timeoutResolve
        case timeoutConnect
        case timeoutFirstByte
        case timeoutWhole
        case tooLarge
        case redirect
        case protocolError
        case addressRefused
        /// Too many requests, response bytes or open files.
        case overloaded
        case cancelled
        case closed
        case local
    }

    package let code: Code
    package let message: String
    package var hint: String?
    package var isRetryable = false
    /// Whether a part of the request may have reached the server.
    ///
    /// Otherwise no quota is charged.
    package var wasSent = false

    package static func == (left: FetchError, right: FetchError) -> Bool {
        left.code == right.code
    }
}

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
            message: "too many requests are running (at most \(exchangesMax))",
            hint: "Try again in a moment.",
            isRetryable: true
        )
    }

    static func tooManyFilesOpen(host: String) -> FetchError {
        FetchError(
            code: .overloaded,
            message: "no connection to \(host) can be opened: this process has too many open files",
            hint: "Try again in a moment, or raise the limit on open files.",
            isRetryable: true
        )
    }

    static func tooManyBodies(host: String) -> FetchError {
        FetchError(
            code: .overloaded,
            message: "no memory for the response of \(host): other large responses are still in use",
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
            message: "the response of \(host) is incomplete: \(how)",
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
            hint: "To allow a source to use this machine or a private network, change the configuration."
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
                    "the name \(host) can't be resolved: no name server answered \(within(timeouts.resolve))",
                    network
                )
            case .connect: (.timeoutConnect, "no connection to \(host) \(within(timeouts.connect))", network)
            case .firstByte: (.timeoutFirstByte, "\(host) did not answer \(within(timeouts.firstByte))", nil)
            case .whole: (.timeoutWhole, "\(host) did not answer completely \(within(timeouts.whole))", nil)
            }
        return FetchError(code: code, message: message, hint: hint, isRetryable: true)
    }
}

extension FetchError {
    /// `CURLE_TOO_LARGE`, which older headers of libcurl do not define.
    private static let tooLargeInLibcurl = CURLcode(100)

    /// If the request was sent, `detail` is not used, because libcurl may quote the server in it.
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
                hint: "Check the network connection and the name.",
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
        // Older versions of libcurl return CURLE_OUT_OF_MEMORY for a header line that is too long.
        case CURLE_OUT_OF_MEMORY where wasSent, tooLargeInLibcurl where wasSent:
            var error = tooLarge("a header line that is too long", host: host)
            error.wasSent = wasSent
            return error
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL:
            var error = malformed("a part that is not valid HTTP: \(describe(code))", host: host)
            error.wasSent = wasSent
            return error
        default:
            return FetchError(
                code: .local,
                message: "the request to \(host) failed on this machine: \(describe(code))",
                wasSent: wasSent
            )
        }
    }

    static func lacksDescriptorsForLookup(_ code: CURLcode) -> Bool {
        code == CURLE_COULDNT_RESOLVE_HOST && ccurl_lacks_descriptors() != 0
    }

    private static func connect(_ text: String, host: String) -> FetchError {
        FetchError(
            code: .connect,
            message: "no connection to \(host): \(text)",
            hint: "Check the network and whether the server is running.",
            isRetryable: true
        )
    }

    private static func describe(_ code: CURLcode) -> String {
        CurlLibrary.prepare()
        // libcurl returns a static string for every code.
        return unsafe String(cString: ccurl_easy_strerror(code))
    }
}
