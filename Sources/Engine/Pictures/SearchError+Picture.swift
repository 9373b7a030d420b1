import EventLoop
import HTTP
import RPC
import SearchModel
import Upstream

/// The errors of pictures; their messages never contain the address.
extension SearchError {
    static let pictureNotSecure = SearchError(
        .forbidden,
        "Pictures are fetched over https only.",
        retryable: false,
        hint: "Open the page of the hit instead."
    )

    static let noPictureAddress = SearchError(
        .forbidden,
        "The address of this picture cannot be fetched.",
        retryable: false,
        hint: "Open the page of the hit instead."
    )

    static let noPicture = SearchError(
        .badResponse,
        "The server's response is not a PNG, JPEG, GIF, WebP or AVIF image.",
        retryable: false,
        hint: "Open the page of the hit instead."
    )

    static func pictureStatus(_ status: Int) -> SearchError {
        SearchError(
            .badResponse,
            "The server answered \(status) instead of the picture.",
            retryable: status >= 500 || status == 429,
            hint: "Open the page of the hit instead."
        )
    }

    static let pictureTooLate = SearchError(
        .timeout,
        "The picture did not arrive within \(PictureLoader.waitMax.components.seconds) s.",
        retryable: true,
        hint: "Try again later."
    )

    /// Converts a network error; `wasLedAway` is true if a redirect was refused.
    init(ofPicture error: FetchError, wasLedAway: Bool) {
        let (kind, hint): (Kind, String) =
            switch error.code {
            case .addressRefused: (.forbidden, "Pictures come from public addresses only.")
            case .redirect where wasLedAway: (.forbidden, "Redirects are followed over https only.")
            case .tooLarge:
                (.badResponse, "A picture of more than \(WireBounds.pictureBytesMax >> 20) MiB is not fetched.")
            case .invalidURL, .invalidRequest: (.forbidden, "Open the page of the hit instead.")
            default:
                (error.kind, error.kind == .badResponse ? "Open the page of the hit instead." : "Try again later.")
            }
        self.init(
            kind,
            error.code == .addressRefused
                ? "The picture's server has an address on this machine or in a private network."
                : "The picture could not be fetched: \(error.message).",
            retryable: error.isRetryable,
            retryAfter: kind == .overloaded ? .seconds(1) : nil,
            hint: hint
        )
    }
}
