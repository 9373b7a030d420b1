import HTTP
import RPC
import SearchModel
import Upstream

/// The errors of web pages; their messages never contain the address.
extension SearchError {
    private static let inBrowser = "Open the address in a browser."

    private static func page(_ kind: Kind, _ message: String, hint: String = inBrowser) -> SearchError {
        SearchError(kind, message, retryable: false, hint: hint)
    }

    static let noPageAddress = page(
        .forbidden,
        "This address cannot be fetched.",
        hint: "Use the whole address of a web page, with http:// or https://."
    )
    static let pageNotPublic = page(
        .forbidden,
        "The page's server has an address on this machine or in a private network.",
        hint: "An administrator can allow the host with pages.allowedHosts in the configuration."
    )
    static let pageForbiddenByRobots = page(
        .forbidden,
        "The site does not allow programs to read this page (robots.txt).",
        hint: "Ask the user to open the page in a browser."
    )
    static let noPageText = page(.badResponse, "The server's response is neither a web page nor plain text.")
    static let pageTooLarge = page(
        .badResponse,
        "The page is larger than \(WireBounds.pageBytesMax >> 20) MiB."
    )
    static let pageRedirects = page(
        .badResponse,
        "The server redirects more than \(WebPageLoader.redirectsMax) times, or to an invalid address."
    )
    static let pageTooLate = SearchError(
        .timeout,
        "The page did not arrive before the timeout.",
        retryable: true,
        hint: "Try again later, or with a longer timeout."
    )
    static let hostIsBusy = SearchError(
        .rateLimited,
        "Other requests to this host are waiting; searchd sends one request per second.",
        retryable: true,
        retryAfter: HostTurns.interval,
        hint: "Try again in a few seconds."
    )

    static func pageStatus(_ status: Int) -> SearchError {
        SearchError(
            .badResponse,
            "The server answered \(status) instead of the page.",
            retryable: status >= 500 || status == 429,
            hint: status == 404 || status == 410 ? "The page does not exist any more." : inBrowser
        )
    }

    /// Converts a network error.
    init(ofWebPage error: FetchError) {
        switch error.code {
        case .addressRefused: self = .pageNotPublic
        case .invalidURL, .invalidRequest: self = .noPageAddress
        case .tooLarge: self = .pageTooLarge
        default:
            self.init(
                error.kind,
                "The page could not be fetched: \(error.message).",
                retryable: error.isRetryable,
                retryAfter: error.kind == .overloaded ? .seconds(1) : nil,
                hint: error.kind == .badResponse ? Self.inBrowser : error.hint ?? "Try again later."
            )
        }
    }
}
