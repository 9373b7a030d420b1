package import JSON
package import SearchModel

/// A note as a user writes it; with an id it replaces the note of that id.
package struct NoteDraft: Equatable, Sendable {
    package let id: String?
    package let title: String?
    package let text: String?
    package let rating: Int?

    /// - Throws: `invalidParams` with the path of what is wrong, also for a note that says nothing.
    package init(_ value: JSONValue, path: String) throws(SearchError) {
        guard let members = value.members else {
            throw SearchError(.invalidParams, "A note is an object.", path: path)
        }
        for member in members where !["id", "title", "text", "rating", "at"].contains(ExactText(member.name)) {
            throw SearchError(.invalidParams, "A note has no such member.", path: "\(path).\(member.name)")
        }
        func text(_ name: String, _ bytesMax: Int, _ clean: (String, Int) -> String?) throws(SearchError) -> String? {
            guard let found = value[name] else { return nil }
            guard let text = found.string.flatMap({ clean($0, bytesMax) }) else {
                throw SearchError(
                    .invalidParams,
                    "It must be a text of at most \(bytesMax) bytes.",
                    path: "\(path).\(name)"
                )
            }
            return text.isEmpty ? nil : text
        }
        id = try text("id", Note.idBytesMax) { UserText.line($0, bytesMax: $1) }
        title = try text("title", Note.titleBytesMax) { UserText.line($0, bytesMax: $1) }
        self.text = try text("text", Note.textBytesMax) { UserText.lines($0, bytesMax: $1) }
        if let value = value["rating"] {
            guard let rating = value.int, Note.ratings.contains(rating) else {
                throw SearchError(.invalidParams, "A rating is a number from 1 to 5.", path: "\(path).rating")
            }
            self.rating = rating
        } else {
            rating = nil
        }
        guard title != nil || self.text != nil || rating != nil else {
            throw SearchError(.invalidParams, "A note has a title, a text or a rating.", path: path)
        }
    }

    func note(id: String, at: Int64) -> Note {
        Note(id: id, title: title, text: text, rating: rating, at: at)
    }
}
