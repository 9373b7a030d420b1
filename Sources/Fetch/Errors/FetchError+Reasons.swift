import EventLoop

// The errors that this room finds itself, each worded once.
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
        hint: "Check the network connection. What is cached can still be found.",
        isRetryable: true
    )

    static let cancelled = FetchError(code: .cancelled, message: "the request was cancelled")

    static let closed = FetchError(code: .closed, message: "the HTTP client has been shut down")

    static func overloaded(waitersMax: Int) -> FetchError {
        FetchError(
            code: .overloaded,
            message: "\(waitersMax) requests wait already",
            hint: "Ask again when some of them are through.",
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

    static func timeout(_ phase: HTTPTransferMachine.Phase, after limit: Duration, host: String) -> FetchError {
        let seconds = limit.milliseconds / 1000
        switch phase {
        case .resolve:
            return FetchError(
                code: .timeoutResolve,
                message: "the name \(host) can't be resolved: no name server has answered within \(seconds) s",
                hint: "Check the network and the name server.",
                isRetryable: true
            )
        case .connect:
            return FetchError(
                code: .timeoutConnect,
                message: "no connection to \(host) within \(seconds) s",
                hint: "Check the network and the name server.",
                isRetryable: true
            )
        case .firstByte:
            return FetchError(
                code: .timeoutFirstByte,
                message: "\(host) has not begun to answer within \(seconds) s",
                isRetryable: true
            )
        case .whole:
            return FetchError(
                code: .timeoutWhole,
                message: "\(host) has not answered completely within \(seconds) s",
                isRetryable: true
            )
        }
    }
}
