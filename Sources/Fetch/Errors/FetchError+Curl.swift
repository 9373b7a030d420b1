import CCurl

extension FetchError {
    /// `CURLE_TOO_LARGE`, which older headers don't have.
    private static let tooLargeInLibcurl = CURLcode(100)

    /// What libcurl's result code means to a caller.
    ///
    /// `hasBegun` says whether anything of a response has come. `detail` is libcurl's own text: it is repeated only for
    /// failures before anything was sent, where it speaks of hosts and certificates; later it could quote what the
    /// server sent.
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
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return dns(host: host)
        case CURLE_OPERATION_TIMEDOUT where !wasSent:
            return FetchError(code: .timeoutConnect, message: "no connection to \(host): \(text)", isRetryable: true)
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY:
            return connect(text, host: host)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_INVALIDCERTSTATUS:
            return tls(text, host: host, isRetryable: code == CURLE_SSL_CONNECT_ERROR)
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            guard wasSent else { return connect(text, host: host) }
            return hasBegun ? cut(describe(code), host: host) : noResponse(describe(code), host: host)
        // libcurl gathers a header line before it hands it over, and calls one that outgrows its buffer a lack of
        // memory; later versions have a code for it.
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

    private static func dns(host: String) -> FetchError {
        FetchError(
            code: .dns,
            message: "the name \(host) can't be resolved",
            hint: "Check the name and the name server.",
            isRetryable: true
        )
    }

    private static func connect(_ text: String, host: String) -> FetchError {
        FetchError(
            code: .connect,
            message: "no connection to \(host): \(text)",
            hint: "Check the network, or whether the server is up.",
            isRetryable: true
        )
    }

    private static func tls(_ text: String, host: String, isRetryable: Bool) -> FetchError {
        FetchError(
            code: .tls,
            message: "no secure connection to \(host): \(text)",
            hint: "Check the clock and the certificates; a company's own authority goes into caFile.",
            isRetryable: isRetryable
        )
    }

    private static func describe(_ code: CURLcode) -> String {
        // libcurl returns a static string for every code.
        unsafe String(cString: curl_easy_strerror(code))
    }
}
