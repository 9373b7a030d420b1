import CPlatform
import Glibc
import JSON

/// The sender of a request, which determines the allowed methods and data.
enum Caller: Hashable, Sendable {
    /// May only search the web, and fetch addresses that this server has signed.
    case anyone
    /// Has the token, and may also use the personal data of the user.
    case user
}

/// Decides which requests are answered, and which requests come from the user.
struct AccessCheck: Sendable {
    static let cookie = "searchd_token"

    let port: UInt16
    var allowedHosts: Set<String> = []
    /// Nil if no personal data is served.
    var token: Token?

    /// Refuses requests that a page of another site may have caused (cross-site requests, DNS rebinding).
    func refusal(of request: WebRequest) -> WebResponse? {
        guard let authority = request.authority, isAllowed(authority) else {
            let name = request.authority.map { Visible.text($0) } ?? "(none)"
            return .text(421, "Unknown host name \(name). To allow it, start searchd-web with --allow-host NAME.")
        }
        guard request.method == .post else { return nil }
        let own = ["http://\(authority)", "https://\(authority)"]
        let isForeign = request.isFromForeignPage || request[.origin].map { !own.contains($0) } ?? false
        return isForeign ? .text(403, "Pages of other sites may not send this request.") : nil
    }

    func caller(of request: WebRequest) -> Caller {
        guard let token, !request.isFromForeignPage else { return .anyone }
        let bearer = request[.authorization].flatMap { value in
            value.lowercased().hasPrefix("bearer ") ? Substring(value.dropFirst(7)).trimmed : nil
        }
        let given = [bearer, request[.apiKey], cookie(of: request)]
        // Compare all texts, so that the time does not reveal which text is correct.
        return given.count { $0.map(token.matches) ?? false } > 0 ? .user : .anyone
    }

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
    /// Only browsers send the field Sec-Fetch-Site.
    var isFromForeignPage: Bool {
        self[.fetchSite].map { $0 != "same-origin" && $0 != "none" } ?? false
    }
}

struct Token: Sendable {
    static let bytesMin = 16

    private let bytes: [UInt8]

    init?(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        let isValid = bytes.allSatisfy { $0.isLetter || $0.isDigit || "-._~+/=".utf8.contains($0) }
        guard bytes.count >= Self.bytesMin, isValid else { return nil }
    }

    /// The time that this takes depends only on the length of `text`.
    func matches(_ text: String) -> Bool {
        var difference = bytes.count == text.utf8.count ? 0 : 1 as UInt8
        for (index, byte) in text.utf8.enumerated() { difference |= byte ^ bytes[index % bytes.count] }
        return difference == 0
    }
}

/// Signs the addresses on the pages of this server, because addresses without a signature need the token.
struct AddressSigner: Sendable {
    private let key: (UInt64, UInt64)

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
