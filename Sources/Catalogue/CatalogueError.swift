/// A mistake in a source file, with the location and a hint.
package struct CatalogueError: Error, Equatable, Sendable, CustomStringConvertible {
    package let file: String
    /// Counted from 1; 0 means the whole file.
    package let line: Int
    /// In Unicode scalars, counted from 1; 0 means the whole file.
    package let column: Int
    /// The wrong member, such as `hit.title.do`; empty for the whole file.
    package let key: String
    package let message: String
    package let hint: String?

    package init(file: String, line: Int = 0, column: Int = 0, key: String = "", message: String, hint: String? = nil) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.message = message
        self.hint = hint
    }

    package var description: String {
        let location = line == 0 ? file : "\(file):\(line):\(column)"
        let subject = key.isEmpty ? "" : " \(key):"
        return "\(location):\(subject) \(message)" + (hint.map { ". \($0)" } ?? "")
    }
}

/// All mistakes in one source file, sorted by position; never empty.
package struct CatalogueMistakes: Error, Equatable, Sendable {
    package let all: [CatalogueError]
}
