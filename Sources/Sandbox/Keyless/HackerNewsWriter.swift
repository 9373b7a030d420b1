import JSON

/// Writes hits and items of Hacker News; what a hit has not is null, not missing.
struct HackerNewsWriter {
    let query: HackerNewsQuery
    /// The key of the search, for the ids.
    let search: UInt32

    /// The figures of a hit, which filters look at.
    private static func figures(_ document: Document) -> (points: Int, comments: Int) {
        var dice = Dice(document.serial, 0xF16)
        return (dice.roll(1...600) * dice.roll(1...4), dice.roll(400))
    }

    static func passes(_ filters: [NumericFilter], _ document: Document) -> Bool {
        let figures = figures(document)
        return filters.allSatisfy { filter in
            switch filter.figure {
            case .created: filter.holds(for: document.date.seconds)
            case .points: filter.holds(for: figures.points)
            case .comments: filter.holds(for: figures.comments)
            }
        }
    }

    /// Without tags every third hit is a comment.
    private func isComment(_ document: Document) -> Bool {
        if query.tags.contains("comment") { return true }
        return query.tags.isEmpty && document.serial % 3 == 0
    }

    func hit(_ document: Document) -> JSONValue {
        var prose = Prose(document, topic: query.topic)
        let id = TopicMemory.pack(search, document.index)
        let author = prose.handle()
        let title = prose.title()
        let text = body(&prose)
        let isComment = isComment(document)
        let hasText = isComment || prose.dice.chance(1, of: 4)
        let address = "https://www.\(prose.handle()).example/\(document.serial % 100_000)"
        let figures = Self.figures(document)
        let story = prose.dice.roll(1_000_000...40_000_000)
        let highlight = Body.object([
            "author": ["matchLevel": "none", "matchedWords": [], "value": .string(author)],
            "title": when(!isComment, marked([title])), "comment_text": when(isComment, marked(text)),
            "story_text": when(hasText && !isComment, marked(text)),
        ])
        let written = JSONValue.string(html(text, open: "", close: ""))
        return [
            "_highlightResult": highlight,
            "_tags": .strings([isComment ? "comment" : "story", "author_\(author)", "story_\(isComment ? story : id)"]),
            "author": .string(author), "comment_text": isComment ? written : .null,
            "created_at": .string(document.date.zuluMilliseconds), "created_at_i": .integer(document.date.seconds),
            "num_comments": isComment ? .null : .integer(figures.comments), "objectID": .string(String(id)),
            "parent_id": isComment ? .integer(story) : .null, "points": isComment ? .null : .integer(figures.points),
            "story_id": .integer(isComment ? story : id), "story_text": hasText && !isComment ? written : .null,
            "story_title": isComment ? .string(title.plain) : .null, "story_url": isComment ? .string(address) : .null,
            "title": isComment ? .null : .string(title.plain),
            "updated_at": .string(document.date.zuluMilliseconds),
            "url": isComment || hasText ? .null : .string(address),
        ]
    }

    /// One item with its (empty) tree of answers.
    func item(_ document: Document) -> JSONValue {
        let hit = hit(document)
        let isComment = isComment(document)
        return [
            "author": hit["author"] ?? .null, "children": [], "created_at": hit["created_at"] ?? .null,
            "created_at_i": hit["created_at_i"] ?? .null, "id": .integer(TopicMemory.pack(search, document.index)),
            "options": [], "parent_id": hit["parent_id"] ?? .null, "points": hit["points"] ?? .null,
            "story_id": hit["story_id"] ?? .null,
            "text": (isComment ? hit["comment_text"] : hit["story_text"]) ?? .null, "title": hit["title"] ?? .null,
            "type": isComment ? "comment" : "story", "url": hit["url"] ?? .null,
        ]
    }

    /// Two paragraphs, the first with a link.
    private func body(_ prose: inout Prose) -> [MarkedText] {
        var text = prose.snippet(sentences: 2)
        text.append(" https://www.\(prose.handle()).example/?a=1&b='2'")
        return [text, prose.snippet(sentences: 1)]
    }

    private func html(_ paragraphs: [MarkedText], open: String, close: String) -> String {
        paragraphs.map { $0.rendered(open: open, close: close, escape: .hexadecimal) }.joined(separator: "<p>")
    }

    private func marked(_ text: [MarkedText]) -> JSONValue {
        [
            "fullyHighlighted": false, "matchLevel": query.text.isEmpty ? "none" : "full",
            "matchedWords": .strings(query.topic.words.map { $0.lowercased() }),
            "value": .string(html(text, open: "<em>", close: "</em>")),
        ]
    }
}
