/// Writes the texts of one document about a topic.
struct Prose: Sendable {
    var dice: Dice
    let topic: Topic
    let vocabulary: Vocabulary

    init(_ document: Document, topic: Topic) {
        dice = Dice(document.serial)
        self.topic = topic
        vocabulary = Vocabulary.of(topic)
    }

    /// A headline with the topic in it.
    mutating func title() -> MarkedText {
        fill(dice.pick(vocabulary.titles))
    }

    /// So many sentences, cut in the middle of the last one as search engines cut.
    mutating func snippet(sentences count: Int) -> MarkedText {
        var text = MarkedText()
        for index in 0..<count {
            text.append(fill(dice.pick(vocabulary.sentences)))
            text.append(index + 1 < count ? ". " : "...")
        }
        return text
    }

    mutating func noun() -> String { dice.pick(vocabulary.nouns) }
    mutating func adjective() -> String { dice.pick(vocabulary.adjectives) }
    mutating func town() -> String { dice.pick(vocabulary.towns) }
    /// A town that only the document decides, whatever was thrown before.
    func somewhere() -> String {
        var dice = dice
        return dice.pick(Vocabulary.korean.towns)
    }

    mutating func person() -> String { dice.pick(vocabulary.people) }
    mutating func company() -> String { dice.pick(vocabulary.companies) }
    mutating func genre() -> String { dice.pick(vocabulary.genres) }
    mutating func name() -> String { dice.pick(vocabulary.names) }

    /// A name fit for a URL.
    mutating func handle() -> String {
        dice.text(dice.roll(5...10), of: .lowercase) + String(dice.roll(100))
    }

    /// The template with its fields filled in and the topic's words marked.
    mutating func fill(_ template: String) -> MarkedText {
        var text = MarkedText()
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text.append(String(rest[..<open]))
            fill(rest[rest.index(after: open)..<close], into: &text)
            rest = rest[rest.index(after: close)...]
        }
        text.append(String(rest))
        return text
    }

    private mutating func fill(_ field: Substring, into text: inout MarkedText) {
        switch field {
        case "t": text.append(topicText())
        case "n": text.append(noun())
        case "a": text.append(adjective())
        case "p": text.append(town())
        case "w": text.append(person())
        case "c": text.append(company())
        case "y": text.append(String(dice.roll(2...30)))
        default: preconditionFailure("a template has no field {\(field)}")
        }
    }

    /// The topic's words, each one a match.
    func topicText() -> MarkedText {
        var text = MarkedText()
        for (index, word) in topic.words.enumerated() {
            if index > 0 { text.append(" ") }
            text.append(word, isMatch: true)
        }
        return text
    }
}
