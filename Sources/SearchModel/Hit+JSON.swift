package import JSON

extension Hit {
    /// Writes the hit as the contract spells it; a field without a value is left out.
    ///
    /// - Parameters:
    ///   - writer: Gets one object, all on one line.
    ///   - withRaw: Whether the source's own document goes along, if it was kept.
    ///   - alsoFrom: The other sources that have the same item.
    package func write(to writer: inout JSONWriter, withRaw: Bool, alsoFrom: [SourceName] = []) {
        writer.object { writer in
            writer.member(.id, id)
            writer.member(.source, source.text)
            writer.member(.kind, kind.text)
            writer.member(.title, title)
            writer.member(.snippet, snippet.unlessEmpty)
            if !titleMarks.isEmpty || !snippetMarks.isEmpty {
                writer.object(.marks) { writer in
                    Self.write(titleMarks, as: .title, to: &writer)
                    Self.write(snippetMarks, as: .snippet, to: &writer)
                }
            }
            writer.member(.url, url.unlessEmpty)
            writer.member(.author, author.unlessEmpty)
            if let published {
                writer.member(.published, published.text)
                if published.precision != .second {
                    writer.member(.publishedPrecision, published.precision.rawValue)
                }
            }
            writer.member(.thumbnail, thumbnail.unlessEmpty)
            writer.member(.rank, rank)
            if !extraText.isEmpty { writer.member(.extra, raw: extraText) }
            if !alsoFrom.isEmpty { writer.member(.alsoFrom, alsoFrom.lazy.map(\.text)) }
            if withRaw, !raw.isEmpty {
                writer.name(.raw)
                writer.rawOnOneLine(raw)
            }
        }
    }

    private static func write(_ marks: [Range<Int>], as member: Member, to writer: inout JSONWriter) {
        guard !marks.isEmpty else { return }
        writer.name(member)
        writer.ranges(marks)
    }
}

extension String? {
    fileprivate var unlessEmpty: String? { flatMap { $0.isEmpty ? nil : $0 } }
}

/// The names of a hit's members.
extension Member {
    package static let alsoFrom = Member("alsoFrom")
    package static let author = Member("author")
    package static let extra = Member("extra")
    package static let fetchedAt = Member("fetchedAt")
    package static let id = Member("id")
    package static let kind = Member("kind")
    package static let marks = Member("marks")
    package static let published = Member("published")
    package static let publishedPrecision = Member("publishedPrecision")
    package static let rank = Member("rank")
    package static let raw = Member("raw")
    package static let snippet = Member("snippet")
    package static let source = Member("source")
    package static let thumbnail = Member("thumbnail")
    package static let title = Member("title")
    package static let url = Member("url")
}
