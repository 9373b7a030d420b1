import JSON

/// The words of a query, and the number of documents that match them.
struct Topic: Sendable {
    let words: [String]
    let key: UInt64
    /// A source has this number of documents times its `share`.
    let abundance: Int
    let isKorean: Bool

    private static let wordsMax = 12

    init(_ query: String) {
        let words = query.split { $0.isWhitespace || "\"\u{1B},+".contains($0) }.prefix(Self.wordsMax).map(String.init)
        self.words = words
        key = words.reduce(0x70_91C5) { Dice.mix($0 ^ Dice.hash($1.lowercased())) }
        isKorean = words.contains { $0.unicodeScalars.contains(where: Self.isHangul) }
        let least = words.map(Self.abundance).min() ?? 0
        let rarity = words.dropFirst().prefix(2).reduce(1) { product, _ in product * 3 }
        abundance = least == 0 ? 0 : max(1, least / rarity)
    }

    var marked: String { words.map { "\u{2}\($0)\u{2}" }.joined(separator: " ") }

    private static func abundance(of word: String) -> Int {
        let folded = word.lowercased()
        var dice = Dice(Dice.hash(folded), 0xAB0D)
        if Vocabulary.common.contains(folded) { return 40_000 << dice.roll(0...8) + dice.roll(0...39_999) }
        return isPlausible(folded.unicodeScalars) ? dice.roll(3...160) : 0
    }

    private static func isPlausible(_ word: String.UnicodeScalarView) -> Bool {
        if word.allSatisfy(isHangul) { return word.count <= 8 }
        if word.allSatisfy({ ("0"..."9").contains($0) }) { return word.count <= 4 }
        return (2...14).contains(word.count) && word.allSatisfy { ("a"..."z").contains($0) }
            && word.contains { "aeiouy".unicodeScalars.contains($0) }
    }

    private static func isHangul(_ scalar: Unicode.Scalar) -> Bool { (0xAC00...0xD7A3).contains(scalar.value) }
}

/// The words and templates from which documents in one language are made.
struct Vocabulary: Sendable {
    let words: [Function: [String]]
    let titles: [Template]
    let sentences: [Template]

    static let korean = Vocabulary("korean")
    static let english = Vocabulary("english")

    static let common = Set(
        ([Vocabulary.korean, .english].flatMap { ($0.words[.noun] ?? []) + ($0.words[.town] ?? []) }
            + split(ResourceFile.world["common"])).map { $0.lowercased() }
    )

    private init(_ language: String) {
        let file = ResourceFile.world[language] ?? .null
        let lists: [Function] = [.noun, .adjective, .town, .person, .company, .genre, .alias]
        words = Dictionary(uniqueKeysWithValues: lists.map { ($0, Self.split(file[$0.rawValue])) })
        titles = (file["titles"]?.array ?? []).map { Template($0) }
        sentences = (file["sentences"]?.array ?? []).map { Template($0) }
    }

    static func split(_ lists: JSONValue?) -> [String] {
        (lists?.array ?? []).flatMap { ($0.string ?? "").split(separator: ", ").map(String.init) }
    }
}

enum ResourceFile {
    static let world = read("world.json5", PackageResources.world_json5)

    static func read(_ name: String, _ bytes: [UInt8]) -> JSONValue {
        do throws(JSON5Error) {
            return try JSON5Reader.read(bytes).plain
        } catch {
            preconditionFailure("\(name): \(error)")
        }
    }
}
