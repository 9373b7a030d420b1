import Glibc
import JSON

/// A request with its limits and policies.
package struct FetchRequest: Sendable {
    /// A GET or POST with an absolute URL and without fields such as Content-Length.
    package var request: HTTPRequest
    package var timeouts = FetchTimeouts()
    package var responseBytesMax = 4 * 1024 * 1024
    package var redirects = RedirectPolicy.none
    package var addresses = AddressPolicy.any
    /// Called at most once, on the loop, before the request is written.
    ///
    /// Must not block.
    package var willSend: (@Sendable () -> Void)?

    package init(_ request: HTTPRequest) {
        self.request = request
    }
}

extension FetchRequest {
    func firstHop() throws(FetchError) -> Hop {
        let url = try FetchURL(request.url)
        guard request.method == "POST" || request.method == "GET" && request.body.isEmpty else {
            throw .invalidRequest("only POST and GET without a body are supported")
        }
        for field in request.fields.fields {
            guard Self.isToken(field.name) else { throw .invalidRequest("the name of a field is not valid") }
            guard field.value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") }) else {
                throw .invalidRequest("the field \(field.name) has a control character")
            }
        }
        return Hop(url: url, method: request.method, fields: request.fields, body: request.body)
    }

    /// Whether a text is a token (RFC 9110, 5.6.2) of at most 128 bytes.
    private static func isToken(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}

package struct FetchTimeouts: Hashable, Sendable {
    package var resolve: Duration = .milliseconds(1500)
    /// For each hop (the first request, and each redirect), including name resolution and TLS.
    package var connect: Duration = .seconds(3)
    /// For each hop, from sending the request until the first byte of the response.
    package var firstByte: Duration = .seconds(10)
    /// For all hops together, including the whole body.
    package var whole: Duration = .seconds(15)
}

package struct RedirectPolicy: Sendable {
    /// With 0, a redirect is an error; with -1, a redirect is returned as the response.
    package let hopsMax: Int
    let allows: @Sendable (FetchURL.Origin) -> Bool

    package static let none = RedirectPolicy(hopsMax: 0) { _ in false }
    package static let returned = RedirectPolicy(hopsMax: -1) { _ in false }

    /// `allows` is called on the loop.
    ///
    /// Redirects from https to http are never followed.
    package static func follow(
        upTo hopsMax: Int,
        where allows: @escaping @Sendable (FetchURL.Origin) -> Bool
    ) -> RedirectPolicy {
        precondition(hopsMax > 0, "a policy that follows nothing is .none")
        return RedirectPolicy(hopsMax: hopsMax, allows: allows)
    }
}

package struct PeerAddress: Hashable, Sendable {
    /// In network order, 4 or 16 bytes.
    package let bytes: [UInt8]
    package let port: UInt16

    package init(bytes: [UInt8], port: UInt16) {
        precondition(bytes.count == 4 || bytes.count == 16, "an address has 4 or 16 bytes")
        self.bytes = bytes
        self.port = port
    }

    /// Parses texts such as `127.0.0.1`, `::1` or `fe80::1%eth0`.
    package init?(text: String, port: UInt16) {
        let address = text.prefix { $0 != "%" }
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            // inet_pton writes 4 bytes for AF_INET and 16 for AF_INET6, and `bytes` has this size.
            if unsafe inet_pton(family, String(address), &bytes) == 1 {
                self.init(bytes: bytes, port: port)
                return
            }
        }
        return nil
    }

    package var isPublic: Bool {
        PublicAddress.objection(to: bytes) == nil
    }
}

/// Decides which addresses a request may connect to.
///
/// The client checks the resolved address.
package struct AddressPolicy: Sendable {
    let allows: (@Sendable (PeerAddress) -> Bool)?

    package init(allows: (@Sendable (PeerAddress) -> Bool)?) {
        self.allows = allows
    }

    package static let any = AddressPolicy(allows: nil)

    package static let publicOnly = AddressPolicy { $0.isPublic }
}
