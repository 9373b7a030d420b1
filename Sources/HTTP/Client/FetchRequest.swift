import Glibc
import JSON

/// A request with its limits and policies.
package struct FetchRequest: Sendable {
    /// The HTTP request: a GET or POST with an absolute URL and without fields that frame the message, such as Content-Length.
    package var request: HTTPRequest
    package var timeouts = FetchTimeouts()
    /// The maximum size of the response body, on the wire and decoded.
    package var responseBytesMax = 4 * 1024 * 1024
    package var redirects = RedirectPolicy.none
    package var addresses = AddressPolicy.any
    /// Called once, on the loop's thread, when the connection is established and the request is about to be written.
    ///
    /// Before that, nothing was sent, so a cancellation spends no quota. Not called again for redirects or for a second
    /// connection attempt. It must return quickly and not block.
    package var willSend: (@Sendable () -> Void)?

    package init(_ request: HTTPRequest) {
        self.request = request
    }
}

extension FetchRequest {
    /// The first hop; throws if a part of the request is not valid or could be misinterpreted by the server.
    func firstHop() throws(FetchError) -> Hop {
        let url = try FetchURL(request.url)
        guard request.method == "POST" || request.method == "GET" && request.body.isEmpty else {
            throw .invalidRequest("it is neither a GET without a body nor a POST")
        }
        for field in request.fields.fields {
            guard Self.isToken(field.name) else { throw .invalidRequest("the name of a field is not valid") }
            guard field.value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") }) else {
                throw .invalidRequest("the field \(field.name) has a control character")
            }
        }
        return Hop(url: url, method: request.method, fields: request.fields, body: request.body)
    }

    /// RFC 9110, 5.6.2; short, because names are.
    private static func isToken(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}

/// The timeouts of one exchange.
package struct FetchTimeouts: Hashable, Sendable {
    /// Name resolution.
    package var resolve: Duration = .milliseconds(1500)
    /// Name resolution, connection and TLS, per hop; includes the wait for a shared HTTP/2 connection.
    package var connect: Duration = .seconds(3)
    /// From sending the request until the first byte of the response, per hop.
    package var firstByte: Duration = .seconds(10)
    /// Everything, from the call on: redirects, the last byte of the body.
    package var whole: Duration = .seconds(15)
}

/// The policy for redirects.
package struct RedirectPolicy: Sendable {
    /// The maximum number of redirects; 0 if a redirect is an error, less if it is the response.
    package let hopsMax: Int
    let allows: @Sendable (FetchURL.Origin) -> Bool

    /// Treats a redirect as an error with the code `redirect`.
    package static let none = RedirectPolicy(hopsMax: 0) { _ in false }
    /// Returns a redirect as the response, with its `location`.
    package static let returned = RedirectPolicy(hopsMax: -1) { _ in false }

    /// Follows up to `hopsMax` redirects to origins for which `allows` returns true.
    ///
    /// The closure is called on the loop's thread. Redirects from https to http are never followed.
    package static func follow(
        upTo hopsMax: Int,
        where allows: @escaping @Sendable (FetchURL.Origin) -> Bool
    ) -> RedirectPolicy {
        precondition(hopsMax > 0, "a policy that follows nothing is .none")
        return RedirectPolicy(hopsMax: hopsMax, allows: allows)
    }
}

/// The address of a peer: 4 or 16 bytes, and the port.
package struct PeerAddress: Hashable, Sendable {
    /// The bytes in network order.
    package let bytes: [UInt8]
    package let port: UInt16

    package init(bytes: [UInt8], port: UInt16) {
        precondition(bytes.count == 4 || bytes.count == 16, "an address has 4 or 16 bytes")
        self.bytes = bytes
        self.port = port
    }

    /// Parses `127.0.0.1`, `::1` or `fe80::1%eth0`; fails for anything else.
    package init?(text: String, port: UInt16) {
        let address = text.prefix { $0 != "%" }
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            // inet_pton writes 4 bytes for AF_INET and 16 for AF_INET6, as many as the array has.
            if unsafe inet_pton(family, String(address), &bytes) == 1 {
                self.init(bytes: bytes, port: port)
                return
            }
        }
        return nil
    }

    /// Whether the address is public: not loopback, private, link-local, multicast or reserved.
    package var isPublic: Bool {
        PublicAddress.objection(to: bytes) == nil
    }
}

/// The policy for addresses.
///
/// It is checked before a connection is opened or reused.
///
/// The name is resolved first, so a public name that points to a private address is refused.
package struct AddressPolicy: Sendable {
    /// Nil if all addresses are allowed, so the common case costs nothing.
    let allows: (@Sendable (PeerAddress) -> Bool)?

    /// The closure is called on the loop's thread; it must return quickly and not block.
    package init(allows: (@Sendable (PeerAddress) -> Bool)?) {
        self.allows = allows
    }

    package static let any = AddressPolicy(allows: nil)

    /// Refuses this machine, private networks and reserved addresses.
    package static let publicOnly = AddressPolicy { $0.isPublic }
}
