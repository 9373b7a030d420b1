import Hangul

/// Generates items from random Hangul words.
struct LibraryTexts {
    struct Item {
        let id: String
        let json: String
        let words: String
    }

    enum Typing: String, CaseIterable {
        case word = "a word"
        case initials = "initials"
        case half = "half a syllable"

        func typed(_ word: String) -> String {
            let scalars = Array(word.unicodeScalars)
            switch self {
            case .word: return word
            case .initials:
                let initials = (scalars + scalars).prefix(3).map(Jamo.initial)
                return String(String.UnicodeScalarView(initials))
            case .half:
                let half = Syllable(scalars[1]).flatMap { Syllable(lead: $0.lead, vowel: $0.vowel) }
                return String(scalars[0]) + (half.map { String($0.scalar) } ?? "")
            }
        }
    }

    private static let vocabularySize = 20_000

    private var numbers: SeededNumbers
    private let vocabulary: [String]

    init(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        vocabulary = (0..<Self.vocabularySize).map { _ in
            let syllables = (0..<Int.random(in: 2...4, using: &numbers)).compactMap { _ in
                let final = Int.random(in: 0..<10, using: &numbers) < 6 ? 0 : UInt32.random(in: 1...27, using: &numbers)
                return Unicode.Scalar(0xAC00 + 28 * UInt32.random(in: 0..<19 * 21, using: &numbers) + final)
            }
            return String(String.UnicodeScalarView(syllables))
        }
        self.numbers = numbers
    }

    mutating func word() -> String { vocabulary[Int.random(in: vocabulary.indices, using: &numbers)] }

    private mutating func text(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }

    mutating func items(_ count: Int, _ prefix: String) -> [Item] {
        (0..<count).map { number in
            let (id, title, snippet, author) = ("bench.books:\(prefix)\(number)", text(3), text(8), word())
            let json =
                #"{"id":"\#(id)","source":"bench.books","kind":"book","title":"\#(title)","snippet":"\#(snippet)","#
                + #""url":"https://books.example/\#(prefix)\#(number)","author":"\#(author)","#
                + #""published":"2024-03-09T11:51:51+09:00","extra":{"price":12000,"publisher":"\#(word())"}}"#
            return Item(id: id, json: json, words: "\(title) \(snippet) \(author)")
        }
    }
}
