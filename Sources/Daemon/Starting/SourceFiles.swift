import Catalogue
import Engine

/// The sources that the program brings, and those of files that somebody else has written; a wrong file changes nothing.
struct SourceFiles {
    static let ending = ".json5"

    private(set) var catalogue = Catalogue.builtIn()
    private(set) var refused: [RefusedSource] = []
    /// What was wrong, a line each.
    private(set) var problems: [LoadProblem] = []
    private var hasher = Hasher()
    let trust: Trust

    /// Of all that was added: another one when anything of it is another.
    var hash: Int { hasher.finalize() }

    init(trust: Trust) {
        self.trust = trust
    }

    /// Adds the files of a directory, accounts first and else by name; a directory that is missing has none.
    mutating func add(directory: String, isLeftOut: (String) -> Bool) {
        var files: [(path: String, bytes: [UInt8])] = []
        do throws(FileProblem) {
            for name in try SmallFile.names(in: directory) where name.hasSuffix(Self.ending) {
                let path = "\(directory)/\(name)"
                if !isLeftOut(path), let bytes = read(path) { files.append((path, bytes)) }
            }
        } catch {
            problems.append(LoadProblem(error, of: directory))
        }
        for turn in 0...2 {
            for file in files where Catalogue.turn(ofFile: file.bytes) == turn {
                problems += add(file: file.path, bytes: file.bytes).map(LoadProblem.init)
            }
        }
    }

    private mutating func read(_ path: String) -> [UInt8]? {
        do throws(FileProblem) {
            return try SmallFile.read(path, bytesMax: Catalogue.fileBytesMax).bytes
        } catch {
            problems.append(LoadProblem(error, of: path))
            return nil
        }
    }

    /// Adds a file that has been read; all that is wrong with it.
    mutating func add(file path: String, bytes: [UInt8]) -> [CatalogueError] {
        hasher.combine(path)
        hasher.combine(bytes)
        do throws(CatalogueMistakes) {
            try catalogue.add(file: path, bytes: bytes, trust: trust)
            return []
        } catch {
            for identity in SourceIdentity.all(in: bytes) {
                refused.append(RefusedSource(identity: identity, problems: error.all))
            }
            return error.all
        }
    }
}
