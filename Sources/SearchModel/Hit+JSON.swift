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
            writer.member("id", id)
            writer.member("source", source.text)
            writer.member("kind", kind.text)
            writer.member("title", title)
            writer.member("snippet", Self.unlessEmpty(snippet))
            writeMarks(to: &writer)
            writer.member("url", Self.unlessEmpty(url))
            writer.member("author", Self.unlessEmpty(author))
            writer.member("published", published?.text)
            if let precision = published?.precision, precision != .second {
                writer.member("publishedPrecision", precision.rawValue)
            }
            writer.member("thumbnail", Self.unlessEmpty(thumbnail))
            writer.member("rank", rank)
            if !extra.isEmpty { writer.member("extra", .object(extra)) }
            if !alsoFrom.isEmpty {
                writer.name("alsoFrom")
                writer.array { writer in
                    for other in alsoFrom { writer.string(other.text) }
                }
            }
            if withRaw, !raw.isEmpty {
                writer.name("raw")
                writer.rawOnOneLine(raw)
            }
        }
    }

    private func writeMarks(to writer: inout JSONWriter) {
        guard !titleMarks.isEmpty || !snippetMarks.isEmpty else { return }
        writer.name("marks")
        writer.object { writer in
            Self.write(titleMarks, named: "title", to: &writer)
            Self.write(snippetMarks, named: "snippet", to: &writer)
        }
    }

    private static func write(_ marks: [Range<Int>], named name: String, to writer: inout JSONWriter) {
        guard !marks.isEmpty else { return }
        writer.name(name)
        writer.array { writer in
            for mark in marks {
                writer.array { writer in
                    writer.integer(mark.lowerBound)
                    writer.integer(mark.upperBound)
                }
            }
        }
    }

    private static func unlessEmpty(_ text: String?) -> String? {
        text?.isEmpty == true ? nil : text
    }
}
