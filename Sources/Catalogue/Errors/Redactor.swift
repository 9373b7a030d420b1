import HTTPMessage
package import SearchModel

/// Takes secrets out of text that came from elsewhere: as they are, percent-encoded, and in base64.
package struct Redactor: Sendable {
    private static let mask = "‹secret›"

    private let secrets: [String]

    package init(_ secrets: some Sequence<Secret>) {
        self.secrets = secrets.map { $0.reveal() }.filter { !$0.isEmpty }
    }

    /// The text with every form of every secret masked, in any case of letters.
    ///
    /// - Complexity: O(n · m) in the bytes of the text and of the forms.
    package func redacted(_ text: String) -> String {
        secrets.isEmpty ? text : String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
    }

    /// The bytes with every form of every secret masked, in any case of letters.
    package func redacted(_ bytes: [UInt8]) -> [UInt8] {
        let forms = forms()
        let lowered = bytes.map(Self.lowered)
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let form = forms.first(where: { Self.matches($0, lowered, at: index) }) {
                kept += Self.mask.utf8
                index += form.count
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return kept
    }

    /// Whether a document holds a secret as it is: the question that is asked of every answer, and so is cheap.
    package func finds(in bytes: [UInt8]) -> Bool {
        secrets.contains { ByteSearch(Array($0.utf8)).isFound(in: bytes.span) }
    }

    /// Everything that a secret may look like, in lower case, the longest first.
    private func forms() -> [[UInt8]] {
        var forms: Set<[UInt8]> = []
        for secret in secrets {
            let spellings = [secret, PercentEncoding.encode(secret)] + Base64Forms.all(of: Array(secret.utf8))
            for spelling in spellings { forms.insert(spelling.utf8.map(Self.lowered)) }
        }
        return forms.sorted { $0.count > $1.count }
    }

    private static func matches(_ form: [UInt8], _ bytes: [UInt8], at start: Int) -> Bool {
        guard start + form.count <= bytes.count else { return false }
        for offset in form.indices where bytes[start + offset] != form[offset] { return false }
        return true
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
