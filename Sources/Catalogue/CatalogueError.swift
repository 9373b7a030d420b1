/// A mistake in a source file, with its location and a hint how to fix it.
package struct CatalogueError: Error, Equatable, Sendable, CustomStringConvertible {
    package let file: String
    /// The line counted from 1, or 0 for an error about the complete file.
    package let line: Int
    /// The column in Unicode scalars counted from 1, or 0 for an error about the complete file.
    package let column: Int
    /// The path of the value in the file, such as `hit.title.do`, or an empty string for the top-level object.
    package let key: String
    package let message: String
    package let hint: String?

    package init(file: String, line: Int, column: Int, key: String, message: String, hint: String? = nil) {
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

/// All mistakes in one source file, in the order of the file; there is at least one.
package struct CatalogueMistakes: Error, Equatable, Sendable {
    package let all: [CatalogueError]
}
