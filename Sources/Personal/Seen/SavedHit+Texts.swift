import JSON
package import SearchModel

extension SavedHit {
    /// What it is searched by, the title first.
    var texts: [String] { [title] + otherTexts }
    var otherTexts: [String] { [snippet, author].compactMap(\.self) }

    /// When it was published, as exactly as its source said.
    package var publishedDate: PublishedDate? {
        guard let text = self[.published]?.string, let seconds = published, let date = RFC3339.date(text) else {
            return nil
        }
        let precision = self[.publishedPrecision]?.string.flatMap { PublishedDate.Precision(rawValue: $0) }
        return PublishedDate(
            epochSeconds: seconds,
            offsetMinutes: Int(date.epochSeconds - seconds) / 60,
            precision: precision ?? .second
        )
    }
}
