/// Why there is no response.
///
/// An HTTP status is never an error here. Neither text repeats a URL's path or query, a field's value or a body, since
/// those carry keys and what people search for: at most the host is named. Equality is on the code.
package struct FetchError: Error, Equatable, Sendable {
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The URL is not of the form that `FetchURL` accepts.
        package static let invalidURL = Code(rawValue: "invalidURL")
        /// The method, a field or the body can't be sent as it is.
        package static let invalidRequest = Code(rawValue: "invalidRequest")
        package static let dns = Code(rawValue: "dns")
        package static let connect = Code(rawValue: "connect")
        package static let tls = Code(rawValue: "tls")
        /// The connection closed after the request had left and before the first byte of a response.
        package static let noResponse = Code(rawValue: "noResponse")
        /// This machine has no way to the network, or no name server answers.
        package static let offline = Code(rawValue: "offline")
        /// No name server has answered.
        package static let timeoutResolve = Code(rawValue: "timeoutResolve")
        package static let timeoutConnect = Code(rawValue: "timeoutConnect")
        package static let timeoutFirstByte = Code(rawValue: "timeoutFirstByte")
        package static let timeoutWhole = Code(rawValue: "timeoutWhole")
        /// The body, or the head, is larger than allowed.
        package static let tooLarge = Code(rawValue: "tooLarge")
        /// A redirect that the request does not allow, or one too many.
        package static let redirect = Code(rawValue: "redirect")
        /// The response is cut or breaks the rules of HTTP.
        package static let protocolError = Code(rawValue: "protocolError")
        package static let addressRefused = Code(rawValue: "addressRefused")
        /// Too many requests wait already, too many responses are held, or too many files are open.
        package static let overloaded = Code(rawValue: "overloaded")
        package static let cancelled = Code(rawValue: "cancelled")
        /// The client has been shut down.
        package static let closed = Code(rawValue: "closed")
        /// libcurl or the kernel failed in a way that says nothing about the other end.
        package static let local = Code(rawValue: "local")
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
