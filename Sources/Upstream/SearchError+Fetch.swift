package import HTTP
package import SearchModel

extension SearchError {
    /// Creates the caller's error for a network failure.
    package init(_ error: FetchError, of source: SourceName) {
        guard error.code != .offline else {
            // The text is the same for all sources, so it can be shown once.
            self.init(.unavailable, error.message, source: source, retryable: true, hint: error.hint)
            isOffline = true
            return
        }
        let (kind, hint): (Kind, String) =
            switch error.code {
            case .dns: (.unavailable, "Check the network and the name server.")
            case .connect: (.unavailable, "Check the network, or try again later.")
            case .noResponse: (.unavailable, "Try again later.")
            case .tls: (.unavailable, "Check the clock and the system's certificates.")
            case .timeoutResolve, .timeoutConnect, .timeoutFirstByte, .timeoutWhole: (.timeout, "Try again later.")
            case .tooLarge, .redirect, .protocolError: (.badResponse, "Try again later; the source may be in trouble.")
            case .addressRefused: (.forbidden, "Only public addresses may be asked by this source's file.")
            case .overloaded: (.overloaded, "Try again in a moment.")
            case .cancelled: (.cancelled, "Ask again.")
            case .closed: (.shuttingDown, "Connect again in a moment.")
            case .invalidURL, .invalidRequest: (.badResponse, "Check the source's file and its baseURL.")
            default: (.unavailable, "Try again later.")
            }
        self.init(
            kind,
            "\(source): \(error.message)",
            source: source,
            retryable: error.isRetryable,
            retryAfter: kind == .overloaded ? .seconds(1) : nil,
            hint: error.hint ?? hint
        )
    }
}
