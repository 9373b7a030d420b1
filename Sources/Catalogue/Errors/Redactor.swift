import HTTPMessage
import JSON
package import SearchModel

/// Masks secrets in text from outside, in whatever form they appear: plain, in base64, in hexadecimal digits, and
/// behind entities, escapes, percent codes, tags, invisible and wide characters, also in several layers.
package struct Redactor: Sendable {
    static let mask = "‹secret›"
    /// How many layers of encoding are removed from a text.
    private static let layersMax = 4

    /// The forms of the secrets in an unveiled text, in lower case.
    private let needles: [[UInt8]]
    /// Byte sequences that every text with an undisguised secret contains.
    private let signs: ByteSearchSet
    /// Signs too short to be among the others.
    private let shortSigns: [[UInt8]]
    private let disguises: DisguiseScan
    /// A shorter text holds no secret: no disguise has fewer bytes than what it hides.
    private let textBytesMin: Int

    package init(_ secrets: some Sequence<Secret>) {
        let secrets = secrets.map { Array($0.reveal().utf8) }.filter { !$0.isEmpty }
        var needles: Set<[UInt8]> = []
        var signs: Set<[UInt8]> = []
        for secret in secrets {
            let digits = Self.hexadecimal(secret)
            let base64 = Base64Forms.all(of: secret).map { Array($0.utf8) }
            needles.formUnion([secret.map(\.lowered), digits])
            needles.formUnion(base64.map { $0.map(\.lowered) })
            signs.formUnion([digits, digits.map(\.raised)] + base64 + Self.signs(of: secret))
        }
        self.needles = Array(needles)
        textBytesMin = needles.map(\.count).min() ?? .max
        self.signs = ByteSearchSet(signs.filter { $0.count >= ByteSearchSet.needleBytesMin })
        shortSigns = signs.filter { $0.count < ByteSearchSet.needleBytesMin }
        disguises = DisguiseScan(secrets)
    }

    /// What a text contains that has the secret with no letter hidden, however its signs are written: its longest word,
    /// or the usual spellings when it has none.
    private static func signs(of secret: [UInt8]) -> [[UInt8]] {
        let words = secret.split { !$0.isLetter && !$0.isDigit }
        if let word = words.max(by: { $0.count < $1.count }), word.count >= ByteSearchSet.needleBytesMin {
            return [Array(word), word.map(\.lowered), word.map(\.raised)]
        }
        let text = String(decoding: secret, as: UTF8.self)
        let percent = PercentEncoding.encode(text)
        let percentAll = PercentEncoding.encode(text) { _ in false }
        return [text, percent, percent.lowercased(), percentAll, percentAll.lowercased()].map { Array($0.utf8) }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    /// Whether there is no secret to be masked.
    var isEmpty: Bool { needles.isEmpty }

    /// Whether a text of so many bytes may hold a secret.
    func mayHold(_ textBytes: Int) -> Bool { textBytes >= textBytesMin }

    /// Whether a text or document may hold a secret; checked for every answer.
    ///
    /// - Complexity: O(n) in the bytes of the text.
    package func finds(in bytes: [UInt8]) -> Bool { finds(in: bytes.span) }

    func finds(in bytes: Span<UInt8>) -> Bool {
        mayHold(bytes.count) && (showsPlainly(in: bytes) || disguises.findsAny(in: bytes))
    }

    /// Whether a text may hold a secret of which no letter is hidden.
    ///
    /// - Complexity: O(n / m) usually, in the bytes of the text and of the shortest sign.
    func showsPlainly(in bytes: Span<UInt8>) -> Bool {
        mayHold(bytes.count)
            && (signs.findsAny(in: bytes) || shortSigns.contains { ByteText.index(of: $0.span, in: bytes) != nil })
    }

    /// The text with every secret masked, whatever the case of its letters.
    ///
    /// - Complexity: O(n) in the bytes of the text, a few hundred times as much where one may be.
    package func redacted(_ text: String) -> String {
        guard finds(in: text.utf8.span) else { return text }
        return String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
    }

    /// The bytes with every secret masked, whatever the case of its letters.
    package func redacted(_ bytes: [UInt8]) -> [UInt8] {
        guard finds(in: bytes) else { return bytes }
        return Self.masked(bytes.span, secrets(in: UnveiledText(bytes.span)))
    }

    /// The ranges of the original text that hold secrets, ascending and apart from each other.
    func secrets(in outer: UnveiledText) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var hasTags = false
        for droppingTags in [false, true] where !droppingTags || hasTags {
            var layer = outer
            for depth in 0...Self.layersMax {
                // With tags the outermost layer is the same.
                if depth > 0 || !droppingTags { find(in: layer, &found) }
                hasTags = hasTags || layer.bytes.contains(UInt8(ascii: "<"))
                guard depth < Self.layersMax, let inner = layer.unveiled(droppingTags: droppingTags) else { break }
                layer = inner
            }
        }
        found.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        return found.reduce(into: []) { apart, range in
            guard let last = apart.last, range.lowerBound < last.upperBound else { return apart.append(range) }
            apart[apart.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        }
    }

    private func find(in text: UnveiledText, _ found: inout [Range<Int>]) {
        let lowered = text.bytes.map(\.lowered)
        for needle in needles {
            var start = 0
            while let index = ByteText.index(of: needle.span, in: lowered.span, from: start) {
                start = index + needle.count
                found.append(text.source(of: index..<start))
            }
        }
    }

    /// A text with its ranges masked.
    static func masked(_ text: Span<UInt8>, _ ranges: [Range<Int>]) -> [UInt8] {
        var masked: [UInt8] = []
        masked.reserveCapacity(text.count)
        var offset = 0
        for range in ranges {
            masked.append(text.extracting(offset..<range.lowerBound))
            masked += mask.utf8
            offset = range.upperBound
        }
        masked.append(text.extracting(offset...))
        return masked
    }
}
