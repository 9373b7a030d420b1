import HTTP
import JSON

/// Writes a wiki's answers.
struct WikipediaWriter {
    let results: WikipediaResults
    /// The key of the search, for the ids.
    let search: UInt32
    let language: String
    let pictures: Pictures

    /// - Parameters:
    ///   - offset: The first result's index.
    ///   - limit: How many results at most.
    ///   - properties: Which of the optional members each result has.
    ///   - oldContinue: The way on is written as old servers do.
    ///   - secondFormat: `formatversion=2`.
    /// - Returns: The answer; it says how to go on unless this is the last page.
    func page(
        _ offset: Int,
        _ limit: Int,
        _ properties: Set<Substring>,
        oldContinue: Bool,
        secondFormat: Bool
    ) -> JSONValue {
        let next = offset + limit
        let hasMore = next < results.reachable
        let query: JSONValue = [
            "searchinfo": ["totalhits": .integer(results.count)],
            "search": .array(results.documents(offset, limit).map { result($0, properties) }),
        ]
        return Body.object([
            "batchcomplete": secondFormat ? true : "",
            "continue": when(hasMore && !oldContinue, ["sroffset": .integer(next), "continue": "-||"]),
            "query-continue": when(hasMore && oldContinue, ["search": ["sroffset": .integer(next)]]),
            "query": query,
        ])
    }

    private func result(_ document: Document, _ properties: Set<Substring>) -> JSONValue {
        var prose = Prose(document, topic: results.topic)
        let title = title(document, &prose)
        let words = prose.dice.roll(40...9_000)
        let snippet = prose.snippet(sentences: 2).rendered(open: "<span class=\"searchmatch\">", close: "</span>")
        return Body.object([
            "ns": 0, "title": .string(title), "pageid": .integer(TopicMemory.pack(search, document.index)),
            "size": when(properties.contains("size"), .integer(words * 7)),
            "wordcount": when(properties.contains("wordcount"), .integer(words)),
            "snippet": when(properties.contains("snippet"), .string(snippet)),
            "timestamp": when(properties.contains("timestamp"), .string(document.date.zulu)),
        ])
    }

    /// One page as `action=query&pageids=` shows it, with the properties that were asked for.
    func single(_ document: Document, _ properties: Set<Substring>, isPlain: Bool) -> JSONValue {
        var prose = Prose(document, topic: results.topic)
        let title = title(document, &prose)
        let bytes = prose.dice.roll(40...9_000) * 7
        let text = prose.snippet(sentences: 6)
        let hasPicture = properties.contains("pageimages") && prose.dice.chance(2, of: 3)
        func picture(_ width: Int) -> JSONValue {
            let height = width * 3 / 4
            return [
                "source": .string(pictures.image(document.serial, width: width, height: height)),
                "width": .integer(width), "height": .integer(height),
            ]
        }
        let hasInfo = properties.contains("info")
        return Body.object([
            "pageid": .integer(TopicMemory.pack(search, document.index)), "ns": 0, "title": .string(title),
            "contentmodel": when(hasInfo, "wikitext"), "pagelanguage": when(hasInfo, .string(language)),
            "touched": when(hasInfo, .string(document.date.zulu)), "length": when(hasInfo, .integer(bytes)),
            "revisions": when(
                properties.contains("revisions"),
                [["timestamp": .string(document.date.zulu)]]
            ),
            "thumbnail": when(hasPicture, picture(320)), "original": when(hasPicture, picture(1_280)),
            "extract": when(
                properties.contains("extracts"),
                .string(isPlain ? text.plain : "<p>\(text.bold)</p>")
            ),
        ])
    }

    func title(_ document: Document) -> String {
        var prose = Prose(document, topic: results.topic)
        return title(document, &prose)
    }

    /// No two articles of a wiki have the same title: one has the topic's, the others bear their number.
    private func title(_ document: Document, _ prose: inout Prose) -> String {
        let number = document.index
        let templates = ["{t} ({p} \(number))", "{t} ({n} \(number))", "{p} {t} \(number)", "{w} & {t} \(number)"]
        let title = prose.fill(prose.dice.pick(templates)).plain
        return number == 0 ? prose.topicText().plain : title
    }

    func address(_ title: String) -> String {
        let path = title.split(separator: " ").map { PercentEncoding.encode($0) }.joined(separator: "_")
        return "https://\(language).wikipedia.example/wiki/\(path)"
    }
}
