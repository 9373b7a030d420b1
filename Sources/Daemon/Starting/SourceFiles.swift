import Catalogue
import Engine
import SearchModel

/// The sources that the program brings, and those of files that users have written; a wrong file changes nothing.
struct SourceFiles {
    static let ending = ".json5"

    private(set) var catalogue = Catalogue.builtIn()
    private(set) var refused: [RefusedSource] = []
    /// What was wrong, a line each.
    private(set) var problems: [LoadProblem] = []
    /// Of files that concern every account, and of those that concern one.
    private var hasher = Hasher()
    private var hashers: [String: Hasher] = [:]
    let trust: Trust

    init(trust: Trust) {
        self.trust = trust
    }

    /// Of all that was added and concerns an account's sources: another one when anything of it is another.
    func hash(ofAccount account: String) -> Int {
        var all = hasher
        if let own = hashers[account] { all.combine(own.finalize()) }
        return all.finalize()
    }

    private struct File {
        let path: String
        let bytes: [UInt8]
        let names: Set<SourceName>
    }

    /// Adds the files of directories, of each accounts first and else by name; a directory that is missing has none.
    ///
    /// A file all of whose sources a later directory has too is passed over: it is replaced there, with its account.
    mutating func add(directories: [String], isLeftOut: (_ path: String, _ bytes: [UInt8]) -> Bool) {
        var files = directories.map { read(directory: $0).filter { !isLeftOut($0.path, $0.bytes) } }
        var replaced: Set<SourceName> = []
        for index in files.indices.reversed() {
            let names = files[index].flatMap(\.names)
            files[index].removeAll { !$0.names.isEmpty && $0.names.isSubset(of: replaced) }
            replaced.formUnion(names)
        }
        for directory in files {
            for turn in 0...2 {
                for file in directory where Catalogue.turn(ofFile: file.bytes) == turn {
                    problems += add(file: file.path, bytes: file.bytes).map(LoadProblem.init)
                }
            }
        }
    }

    private mutating func read(directory: String) -> [File] {
        var files: [File] = []
        do throws(FileProblem) {
            try SmallFile.refuseDirectoryWritableByAll(directory)
            for name in try SmallFile.names(in: directory) where name.hasSuffix(Self.ending) {
                let path = "\(directory)/\(name)"
                guard let bytes = read(path) else { continue }
                let names = Set(SourceIdentity.all(in: bytes).map(\.name))
                files.append(File(path: path, bytes: bytes, names: names))
            }
        } catch {
            problems.append(LoadProblem(error, of: directory))
        }
        return files
    }

    private mutating func read(_ path: String) -> [UInt8]? {
        do throws(FileProblem) {
            let file = try SmallFile.read(path, bytesMax: Catalogue.fileBytesMax)
            try file.refuseIfWritableByAll(path)
            return file.bytes
        } catch {
            problems.append(LoadProblem(error, of: path))
            return nil
        }
    }

    /// Adds a file that has been read; all that is wrong with it.
    mutating func add(file path: String, bytes: [UInt8]) -> [CatalogueError] {
        let accounts = Set(SourceIdentity.all(in: bytes).map(\.name.account))
        if accounts.isEmpty { Self.combine(path, bytes, into: &hasher) }
        for account in accounts { Self.combine(path, bytes, into: &hashers[account, default: Hasher()]) }
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

    private static func combine(_ path: String, _ bytes: [UInt8], into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(bytes)
    }
}
