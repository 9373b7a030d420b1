/// Searches output for secrets.
///
/// The daemon's code is not used here, so a mistake in the daemon cannot hide a secret.
struct LeakSearch {
    struct Finding: Hashable, CustomStringConvertible {
        let name: String
        let form: String
        let place: String

        var description: String { "\(name), \(form), in \(place)" }
    }

    struct Forms {
        let name: String
        let forms: [(name: String, text: String)]
    }

    private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let forURLs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    let secrets: [Forms]

    init(_ secrets: [String: String]) {
        self.secrets = secrets.sorted { $0.key < $1.key }
            .map { Forms(name: $0.key, forms: Self.forms(of: Array($0.value.utf8))) }
    }

    func findings(in bytes: [UInt8], place: String) -> [Finding] {
        let printable = bytes.map { $0 == 0 ? 0x20 : $0 }
        return secrets.flatMap { secret in
            secret.forms.filter { printable.holds($0.text) }
                .map { Finding(name: secret.name, form: $0.name, place: place) }
        }
    }

    func findings(in text: String, place: String) -> [Finding] {
        findings(in: Array(text.utf8), place: place)
    }

    static func forms(of secret: [UInt8]) -> [(name: String, text: String)] {
        let text = String(decoding: secret, as: UTF8.self)
        var forms = [
            ("raw", text), ("raw in lower case", text.lowercased()), ("raw in upper case", text.uppercased()),
            ("raw in JSON", text.replacing("/", with: "\\/")),
        ]
        for isUpper in [false, true] {
            let name = isUpper ? "upper" : "lower"
            forms.append(("percent, all, \(name)", percent(secret, isUpper: isUpper) { _ in false }))
            forms.append(("percent, minimal, \(name)", percent(secret, isUpper: isUpper, keeping: isUnreserved)))
        }
        for lead in 0..<3 {
            forms.append(("base64 from \(lead)", base64(secret, lead: lead, standard)))
            forms.append(("base64url from \(lead)", base64(secret, lead: lead, forURLs)))
        }
        return forms.map { (name: $0.0, text: $0.1) }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~".utf8.contains(byte)
    }

    private static func percent(_ bytes: [UInt8], isUpper: Bool, keeping isKept: (UInt8) -> Bool) -> String {
        bytes.map { byte in
            if isKept(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: isUpper)
            return "%" + (digits.utf8.count < 2 ? "0" : "") + digits
        }.joined()
    }

    /// Returns the base64 characters that do not depend on the bytes before and after the secret.
    private static func base64(_ secret: [UInt8], lead: Int, _ alphabet: [UInt8]) -> String {
        let bytes = [UInt8](repeating: 0, count: lead) + secret
        let whole = (0..<bytes.count * 8 / 6).map { (place: Int) -> UInt8 in
            let first = place * 6
            var bits = 0
            for bit in first..<first + 6 {
                let shifted = Int(bytes[bit / 8]) >> (7 - bit % 8)
                bits = bits << 1 | (shifted & 1)
            }
            return alphabet[bits]
        }
        return String(decoding: whole.dropFirst((lead * 8 + 5) / 6), as: UTF8.self)
    }
}
