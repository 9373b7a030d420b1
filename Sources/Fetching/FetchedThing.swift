import HTTP
import RPC
import SearchModel
import Upstream

/// The limits and errors of fetching a web page or a picture.
///
/// Errors contain only the host of the address.
enum FetchedThing: String {
    case page
    case picture

    private static let inBrowser = "Open the page in a browser."

    /// All fetches together use at most half of the memory limit of response bodies.
    var fetchesMax: Int { self == .page ? 4 : 8 }
    var flightsMax: Int { self == .page ? 256 : 1024 }

    var queue: SourceName { self == .page ? .webPages : .pictures }

    var bytesMax: Int { self == .page ? WireBounds.pageBytesMax : WireBounds.pictureBytesMax }

    func forbidden(_ message: String, hint: String = inBrowser) -> SearchError {
        SearchError(.forbidden, message, retryable: false, hint: hint)
    }

    func bad(_ message: String, hint: String = inBrowser) -> SearchError {
        SearchError(.badResponse, message, retryable: false, hint: hint)
    }

    var noAddress: SearchError {
        forbidden("The address of this \(rawValue) can't be fetched.", hint: "Give a complete http or https address.")
    }

    var tooLate: SearchError {
        SearchError(.timeout, "The \(rawValue) did not arrive in time.", retryable: true, hint: "Try again later.")
    }

    func status(_ status: Int) -> SearchError {
        SearchError(
            .badResponse,
            "The server answered \(status) instead of the \(rawValue).",
            retryable: status >= 500 || status == 429,
            hint: status == 404 || status == 410 ? "The \(rawValue) does not exist any more." : Self.inBrowser
        )
    }

    func error(_ error: FetchError) -> SearchError {
        switch error.code {
        case .addressRefused:
            forbidden(
                "The server has an address on this machine or in a private network.",
                hint: self == .page
                    ? "To allow the host, add it to pages.allowedHosts in the configuration of searchd."
                    : "Pictures come from public addresses only."
            )
        case .invalidURL, .invalidRequest: noAddress
        case .tooLarge:
            bad("The \(rawValue) is too large.", hint: "A \(rawValue) may have up to \(bytesMax >> 20) MiB.")
        default:
            SearchError(
                error.kind,
                "The \(rawValue) could not be fetched: \(error.message).",
                retryable: error.isRetryable,
                retryAfter: error.kind == .overloaded ? .seconds(1) : nil,
                hint: error.kind == .badResponse ? Self.inBrowser : error.hint ?? "Try again later."
            )
        }
    }
}
