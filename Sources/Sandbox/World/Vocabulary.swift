import JSON

/// The words that documents are made of; a query for one of the nouns has many matches.
struct Vocabulary: Sendable {
    let nouns: [String]
    let adjectives: [String]
    let towns: [String]
    let people: [String]
    let companies: [String]
    let genres: [String]
    let names: [String]
    /// Sentences with `{t}` for the topic, `{n}` a noun, `{a}` an adjective, `{p}` a town, `{w}` a person, `{c}` a
    /// company and `{y}` a small number.
    let titles: [String]
    let sentences: [String]

    static let korean = Vocabulary("korean")
    static let english = Vocabulary("english")

    static func of(_ topic: Topic) -> Vocabulary {
        topic.isKorean ? korean : english
    }

    /// True for a lower-case word that many documents are about.
    static func isCommon(_ word: String) -> Bool {
        common.contains(word)
    }

    private static let common = Set(
        (korean.nouns + korean.towns + english.nouns + english.towns + WorldFile.texts("common")).map {
            $0.lowercased()
        }
    )

    private init(_ language: String) {
        let file = WorldFile.root[language] ?? .null
        func texts(_ name: String) -> [String] { WorldFile.split(file[name]) }
        nouns = texts("nouns")
        adjectives = texts("adjectives")
        towns = texts("towns")
        people = texts("people")
        companies = texts("companies")
        genres = texts("genres")
        names = texts("names")
        titles = file["titles"]?.array?.compactMap(\.string) ?? []
        sentences = file["sentences"]?.array?.compactMap(\.string) ?? []
    }

    /// A headline with the topic in it.
    func title(_ dice: inout Dice, _ topic: Topic) -> MarkedText {
        fill(dice.pick(titles), &dice, topic)
    }

    /// This many sentences, cut off at the end as search engines do.
    func snippet(_ dice: inout Dice, _ topic: Topic, sentences count: Int) -> MarkedText {
        var text = MarkedText()
        for index in 0..<count {
            text.append(fill(dice.pick(sentences), &dice, topic))
            text.append(index + 1 < count ? ". " : "...")
        }
        return text
    }

    private func fill(_ template: String, _ dice: inout Dice, _ topic: Topic) -> MarkedText {
        var text = MarkedText()
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text.append(String(rest[..<open]))
            switch rest[rest.index(after: open)..<close] {
            case "t": text.append(topic.marked)
            case "n": text.append(dice.pick(nouns))
            case "a": text.append(dice.pick(adjectives))
            case "p": text.append(dice.pick(towns))
            case "w": text.append(dice.pick(people))
            case "c": text.append(dice.pick(companies))
            case "y": text.append(String(dice.roll(2...30)))
            case let field: preconditionFailure("world.json5: unknown field {\(field)}")
            }
            rest = rest[rest.index(after: close)...]
        }
        text.append(String(rest))
        return text
    }
}

/// `world.json5`: what all APIs share.
enum WorldFile {
    static let root = ResourceFile.read("world.json5", PackageResources.world_json5)

    static func texts(_ name: String) -> [String] { split(root[name]) }

    /// The parts of comma-separated lists.
    static func split(_ lists: JSONValue?) -> [String] {
        (lists?.array ?? []).flatMap { ($0.string ?? "").split(separator: ", ").map(String.init) }
    }
}

enum ResourceFile {
    /// A file that is part of the program; a mistake in it is a defect of the program, and traps.
    static func read(_ name: String, _ bytes: [UInt8]) -> JSONValue {
        do throws(JSON5Error) {
            return try JSON5Reader.read(bytes).plain
        } catch {
            preconditionFailure("\(name): \(error)")
        }
    }
}
