import HTTPMessage
package import SearchModel

/// Takes secrets out of text that came from elsewhere: as they are, percent-encoded, and in base64.
package struct Redactor: Sendable {
    private static let mask = "‹secret›"

    /// Everything that a secret may look like, in lower case, the longest first.
    private let forms: [[UInt8]]
    /// The same as it is usually written.
    private let spellings: ByteSearchSet
    /// Spellings too short to be among the others.
    private let short: [ByteSearch]

    package init(_ secrets: some Sequence<Secret>) {
        var spellings: Set<String> = []
        for secret in secrets.map({ $0.reveal() }) where !secret.isEmpty {
            let percent = PercentEncoding.encode(secret)
            let percentAll = PercentEncoding.encode(secret) { _ in false }
            spellings.formUnion([secret, percent, percent.lowercased(), percentAll, percentAll.lowercased()])
            spellings.formUnion(Base64Forms.all(of: Array(secret.utf8)))
        }
        forms = Set(spellings.map { $0.utf8.map(Self.lowered) }).sorted { $0.count > $1.count }
        let needles = spellings.map { Array($0.utf8) }
        self.spellings = ByteSearchSet(needles.filter { $0.count >= ByteSearchSet.needleBytesMin })
        short = needles.filter { $0.count < ByteSearchSet.needleBytesMin }.map(ByteSearch.init)
    }

    /// The text with every form of every secret masked, in any case of letters.
    ///
    /// - Complexity: O(n · m) in the bytes of the text and of the forms.
    package func redacted(_ text: String) -> String {
        forms.isEmpty ? text : String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
    }

    /// The bytes with every form of every secret masked, in any case of letters.
    package func redacted(_ bytes: [UInt8]) -> [UInt8] {
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

    /// Whether a document holds a secret as it is usually written: the question that is asked of every answer.
    ///
    /// - Complexity: O(n / m) usually, in the bytes of the document and of the shortest form.
    package func finds(in bytes: [UInt8]) -> Bool {
        spellings.findsAny(in: bytes.span) || short.contains { $0.isFound(in: bytes.span) }
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
