import CPlatform
import Glibc
import JSON

/// Who sends a request.
enum Caller: Hashable, Sendable {
    /// Without the token: web search only.
    case anyone
    /// With the token: the user of this process, with personal data.
    case user
}

/// Decides which requests are answered, and whose they are.
struct AccessCheck: Sendable {
    static let cookie = "searchd_token"

    /// The port of the listener.
    let port: UInt16
    /// Further host names, with any port.
    var allowedHosts: Set<String> = []
    /// Nil without personal data.
    var token: Token?

    /// Returns why a request is refused, or nil.
    ///
    /// A foreign page can make a browser send requests here, also by giving its own host name our address (DNS
    /// rebinding). Such requests name a foreign host or come from a foreign origin.
    func refusal(of request: WebRequest) -> WebResponse? {
        guard let authority = request.authority, isAllowed(authority) else {
            let name = request.authority.map { Visible.text($0) } ?? "(none)"
            return .text(421, "This server does not answer for the host \(name). --allow-host NAME admits a name.")
        }
        guard request.method == .post else { return nil }
        if let origin = request[.origin], origin != "http://\(authority)", origin != "https://\(authority)" {
            return .text(403, "Pages of other sites may not send this.")
        }
        return request.isFromForeignPage ? .text(403, "Pages of other sites may not send this.") : nil
    }

    /// The sender of a request.
    ///
    /// A request that a page of another site makes the browser send does not count as the user's.
    func caller(of request: WebRequest) -> Caller {
        guard let token, !request.isFromForeignPage else { return .anyone }
        let bearer = request[.authorization].flatMap { value in
            value.lowercased().hasPrefix("bearer ") ? Substring(value.dropFirst(7)).trimmed : nil
        }
        let given = [bearer, request[.apiKey], cookie(of: request)]
        // Each is compared, so that the time does not depend on which one is right.
        return given.count { $0.map(token.matches) ?? false } > 0 ? .user : .anyone
    }

    /// The header value that stores the token in a browser.
    func cookieField(_ token: String) -> String {
        "\(Self.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict"
    }

    private func cookie(of request: WebRequest) -> String? {
        let pairs = request[.cookie]?.split(separator: ";").map(\.trimmed) ?? []
        let start = "\(Self.cookie)="
        return pairs.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }

    private func isAllowed(_ authority: String) -> Bool {
        let authority = authority.lowercased()
        let end = authority.hasSuffix("]") ? nil : authority.utf8.lastIndex(of: UInt8(ascii: ":"))
        let name = String(authority[..<(end ?? authority.endIndex)])
        let number = end.map { UInt16(authority[$0...].dropFirst()) } ?? 80
        if ["127.0.0.1", "localhost", "[::1]"].contains(name), number == port { return true }
        return allowedHosts.contains(name) && number != nil
    }
}

extension WebRequest {
    /// Whether a browser says that a page of another site caused the request; others do not say it.
    var isFromForeignPage: Bool {
        self[.fetchSite].map { $0 != "same-origin" && $0 != "none" } ?? false
    }
}

/// A secret that gives access to personal data.
struct Token: Sendable {
    static let bytesMin = 16

    private let bytes: [UInt8]

    /// Fails if the text is too short, or has characters that a cookie cannot hold.
    init?(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        let isValid = bytes.allSatisfy { $0.isLetter || $0.isDigit || "-._~+/=".utf8.contains($0) }
        guard bytes.count >= Self.bytesMin, isValid else { return nil }
    }

    /// Compares in a time that depends on the length of the other text only.
    func matches(_ text: String) -> Bool {
        var difference = bytes.count == text.utf8.count ? 0 : 1 as UInt8
        for (index, byte) in text.utf8.enumerated() { difference |= byte ^ bytes[index % bytes.count] }
        return difference == 0
    }
}

/// Signs addresses that this server has shown, so that only they can be fetched without a token.
struct AddressSigner: Sendable {
    private let key: (UInt64, UInt64)

    /// Uses a random key, so signatures are valid until the process ends.
    init() {
        var random = SystemRandomNumberGenerator()
        key = (random.next(), random.next())
    }

    func signature(of address: String) -> String {
        StableHash.digits(of: SipHash.hash(address.utf8.span, key: key))
    }

    func isValid(_ signature: String?, of address: String) -> Bool {
        guard let signature, let token = Token(self.signature(of: address)) else { return false }
        return token.matches(signature)
    }
}
