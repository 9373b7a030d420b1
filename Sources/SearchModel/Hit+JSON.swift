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
            Self.write("id", id, to: &writer)
            Self.write("source", source.text, to: &writer)
            Self.write("kind", kind.text, to: &writer)
            Self.write("title", title, to: &writer)
            Self.writeUnlessEmpty("snippet", snippet, to: &writer)
            writeMarks(to: &writer)
            Self.writeUnlessEmpty("url", url, to: &writer)
            Self.writeUnlessEmpty("author", author, to: &writer)
            if let published {
                Self.write("published", published.text, to: &writer)
                if published.precision != .second {
                    Self.write("publishedPrecision", published.precision.rawValue, to: &writer)
                }
            }
            Self.writeUnlessEmpty("thumbnail", thumbnail, to: &writer)
            writer.plainName("rank")
            writer.integer(rank)
            if !extraText.isEmpty {
                writer.plainName("extra")
                writer.raw(extraText)
            }
            if !alsoFrom.isEmpty {
                writer.plainName("alsoFrom")
                writer.array { writer in
                    for other in alsoFrom { writer.string(other.text) }
                }
            }
            if withRaw, !raw.isEmpty {
                writer.plainName("raw")
                writer.rawOnOneLine(raw)
            }
        }
    }

    private static func write(_ name: StaticString, _ text: String, to writer: inout JSONWriter) {
        writer.plainMember(name, text)
    }

    private static func writeUnlessEmpty(_ name: StaticString, _ text: String?, to writer: inout JSONWriter) {
        guard let text, !text.isEmpty else { return }
        write(name, text, to: &writer)
    }

    private func writeMarks(to writer: inout JSONWriter) {
        guard !titleMarks.isEmpty || !snippetMarks.isEmpty else { return }
        writer.plainName("marks")
        writer.object { writer in
            Self.write(titleMarks, named: "title", to: &writer)
            Self.write(snippetMarks, named: "snippet", to: &writer)
        }
    }

    private static func write(_ marks: [Range<Int>], named name: StaticString, to writer: inout JSONWriter) {
        guard !marks.isEmpty else { return }
        writer.plainName(name)
        writer.ranges(marks)
    }
}
