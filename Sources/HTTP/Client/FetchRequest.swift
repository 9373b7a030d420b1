import Glibc
import JSON

/// What to fetch, and on which terms.
package struct FetchRequest: Sendable {
    /// Its URL is absolute, its method GET or POST, and no field frames the message (Content-Length and the like).
    package var request: HTTPRequest
    package var timeouts = FetchTimeouts()
    /// The most bytes that the body of the response may have, on the wire and decoded.
    package var responseBytesMax = 4 * 1024 * 1024
    package var redirects = RedirectPolicy.none
    package var addresses = AddressPolicy.any
    /// Called once, on the loop's thread, when a connection stands and the request is about to be written to it.
    ///
    /// Until then a cancellation has no effect on the other end: nothing was sent and no quota is spent. It is not
    /// called again for redirects or when libcurl tries a second connection. It must be quick and must not wait.
    package var willSend: (@Sendable () -> Void)?

    package init(_ request: HTTPRequest) {
        self.request = request
    }
}

extension FetchRequest {
    /// The first hop, when nothing in the request could be read by the other end as something else than meant.
    func firstHop() throws(FetchError) -> Hop {
        let url = try FetchURL(request.url)
        guard request.method == "POST" || request.method == "GET" && request.body.isEmpty else {
            throw .invalidRequest("it is neither a GET without a body nor a POST")
        }
        for field in request.fields.fields {
            guard Self.isToken(field.name) else { throw .invalidRequest("a field has no proper name") }
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

/// How long the parts of one exchange may take.
package struct FetchTimeouts: Hashable, Sendable {
    /// Name resolution: name servers that take longer are as good as none.
    package var resolve: Duration = .milliseconds(1500)
    /// Name resolution, connection and TLS, for each hop; also the wait for a shared HTTP/2 connection.
    package var connect: Duration = .seconds(3)
    /// From the moment the request may leave until the first byte of the response, for each hop.
    package var firstByte: Duration = .seconds(10)
    /// Everything, from the call on: redirects, the last byte of the body.
    package var whole: Duration = .seconds(15)
}

/// Whether and where a request may be led on.
package struct RedirectPolicy: Sendable {
    /// How many hops at most; 0 when a redirect is an error.
    package let hopsMax: Int
    let allows: @Sendable (FetchURL.Origin) -> Bool

    /// A redirect is an error of code `redirect`.
    package static let none = RedirectPolicy(hopsMax: 0) { _ in false }

    /// Follows up to `hopsMax` redirects, each only to an origin for which `allows` is true.
    ///
    /// The closure is called on the loop's thread. From https to http nothing is followed whatever it says.
    package static func follow(
        upTo hopsMax: Int,
        where allows: @escaping @Sendable (FetchURL.Origin) -> Bool
    ) -> RedirectPolicy {
        precondition(hopsMax > 0, "a policy that follows nothing is .none")
        return RedirectPolicy(hopsMax: hopsMax, allows: allows)
    }
}

/// The address of the other end of a connection: 4 or 16 bytes, and the port.
package struct PeerAddress: Hashable, Sendable {
    /// In network order.
    package let bytes: [UInt8]
    package let port: UInt16

    package init(bytes: [UInt8], port: UInt16) {
        precondition(bytes.count == 4 || bytes.count == 16, "an address has 4 or 16 bytes")
        self.bytes = bytes
        self.port = port
    }

    /// Reads `127.0.0.1`, `::1` or `fe80::1%eth0`; nil for anything else.
    package init?(text: String, port: UInt16) {
        let address = text.prefix { $0 != "%" }
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            // inet_pton writes 4 bytes for AF_INET and 16 for AF_INET6, which is what the array holds.
            if unsafe inet_pton(family, String(address), &bytes) == 1 {
                self.init(bytes: bytes, port: port)
                return
            }
        }
        return nil
    }

    /// Whether a host on the Internet may have this address: not loopback, private, link-local, multicast or reserved.
    package var isPublic: Bool {
        PublicAddress.objection(to: bytes) == nil
    }
}

/// Which addresses a request may reach; asked before each connection is opened and each time one is used again.
///
/// The name is resolved first, so a public name that points at a private address is refused like the address itself.
package struct AddressPolicy: Sendable {
    /// Nil when every address will do, so that the common case costs nothing.
    let allows: (@Sendable (PeerAddress) -> Bool)?

    /// The closure is called on the loop's thread: it must be quick and must not wait.
    package init(allows: (@Sendable (PeerAddress) -> Bool)?) {
        self.allows = allows
    }

    package static let any = AddressPolicy(allows: nil)

    /// Nothing on this machine, in its private networks or in reserved blocks.
    package static let publicOnly = AddressPolicy { $0.isPublic }
}
