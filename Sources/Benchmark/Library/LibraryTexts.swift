import JSON
import Personal

/// Items of a made-up library: Hangul words of two to four syllables, so many that each stands in few of them.
struct LibraryTexts {
    private static let words = 20_000
    private static let titleWords = 3
    private static let snippetWords = 8

    private var numbers: SeededNumbers
    private let vocabulary: [String]

    init(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        vocabulary = (0..<Self.words).map { _ in
            let length = 2 + Int(numbers.unit() * 3)
            let syllables = (0..<length).compactMap { _ in
                // Finals are rarer than they could be, as in texts.
                let final = numbers.unit() < 0.6 ? 0 : 1 + UInt32(numbers.unit() * 27)
                let open = 588 * UInt32(numbers.unit() * 19) + 28 * UInt32(numbers.unit() * 21)
                return Unicode.Scalar(0xAC00 + open + final)
            }
            return String(String.UnicodeScalarView(syllables))
        }
        self.numbers = numbers
    }

    mutating func word() -> String { vocabulary[Int(numbers.unit() * Double(vocabulary.count))] }

    private mutating func text(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }

    /// A hit as clients save it.
    mutating func hit(_ key: String) -> JSONValue {
        [
            "id": .string("bench.books:\(key)"), "source": "bench.books", "kind": "book",
            "title": .string(text(Self.titleWords)), "snippet": .string(text(Self.snippetWords)),
            "url": .string("https://books.example/\(key)"), "author": .string(word()),
            "published": "2024-03-09T11:51:51+09:00", "extra": ["price": 12_000, "publisher": .string(word())],
        ]
    }

    mutating func hits(_ count: Int, _ prefix: String) -> [JSONValue] { (0..<count).map { hit("\(prefix)\($0)") } }

    /// What people type to find something: words, their initials, and words without the end of their second syllable.
    mutating func queries(_ way: TypingWay, _ count: Int) -> [String] {
        (0..<count).map { _ in way.typed(of: word()) }
    }
}
