/// Why a source file was refused: where, and what would be right.
package struct CatalogueError: Error, Equatable, Sendable, CustomStringConvertible {
    package let file: String
    /// From 1; 0 when the whole file is meant.
    package let line: Int
    /// In Unicode scalars, from 1; 0 when the whole file is meant.
    package let column: Int
    /// Where in the file's tree, as `hit.title.do`; empty for the file's own object.
    package let key: String
    package let message: String
    /// What would be right.
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

/// All that is wrong with one source file, in its order; at least one thing.
package struct CatalogueMistakes: Error, Equatable, Sendable {
    package let all: [CatalogueError]
}
