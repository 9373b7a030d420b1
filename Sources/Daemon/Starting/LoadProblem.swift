import Catalogue
import SearchModel

/// Something that is wrong with a file the daemon was to read, in one line; it says where.
struct LoadProblem: Equatable, Sendable, CustomStringConvertible {
    let description: String
    let location: FileLocation?

    init(_ error: CatalogueError) {
        description = error.description
        location = FileLocation(error)
    }

    /// A file that can't be used at all.
    init(_ problem: FileProblem, of file: String) {
        description = problem.message
        location = FileLocation(file: file, line: nil, key: nil)
    }
}

extension FileLocation {
    init(_ error: CatalogueError) {
        self.init(
            file: error.file,
            line: error.line == 0 ? nil : error.line,
            key: error.key.isEmpty ? nil : error.key
        )
    }
}
