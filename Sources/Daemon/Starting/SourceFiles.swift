import Catalogue
import Engine
import JSON
import SearchModel

/// The built-in sources, and the sources in files of the machine and of the user.
struct SourceFiles {
    static let ending = ".json5"

    private(set) var catalogue = Catalogue.builtIn()
    private(set) var refused: [RefusedSource] = []
    private(set) var problems: [CatalogueError] = []
    /// The contents of the files of each account; nil is the key of files without a source, which concern every account.
    private var hashers: [String?: Hasher] = [:]
    private var digests: [String?: String] = [:]
    private let trust: Trust

    init(trust: Trust) {
        self.trust = trust
    }

    func hash(ofAccount account: String) -> Int {
        var hasher = hashers[nil] ?? Hasher()
        if let own = hashers[account] { hasher.combine(own.finalize()) }
        return hasher.finalize()
    }

    func digest(ofAccount account: String) -> String { "\(digests[nil] ?? "") \(digests[account] ?? "")" }

    private struct File {
        let path: String
        let bytes: [UInt8]
        let names: Set<SourceName>
    }

    /// Ignores missing directories, and files whose sources are all defined in later directories.
    mutating func add(directories: [String], isIgnored: (_ path: String, _ bytes: [UInt8]) -> Bool) {
        var files = directories.map { read(directory: $0).filter { !isIgnored($0.path, $0.bytes) } }
        var replaced: Set<SourceName> = []
        for index in files.indices.reversed() {
            let names = files[index].flatMap(\.names)
            files[index].removeAll { !$0.names.isEmpty && $0.names.isSubset(of: replaced) }
            replaced.formUnion(names)
        }
        for directory in files {
            for turn in 0...2 {
                for file in directory where Catalogue.turn(ofFile: file.bytes) == turn {
                    problems += add(file: file.path, bytes: file.bytes)
                }
            }
        }
    }

    private mutating func read(directory: String) -> [File] {
        do throws(CatalogueError) {
            try SmallFile.refuseDirectoryWritableByAll(directory)
            return try SmallFile.names(in: directory).filter { $0.hasSuffix(Self.ending) }.compactMap { name in
                read("\(directory)/\(name)")
            }
        } catch {
            problems.append(error)
            return []
        }
    }

    private mutating func read(_ path: String) -> File? {
        do throws(CatalogueError) {
            let file = try SmallFile.read(path, bytesMax: Catalogue.fileBytesMax)
            try file.refuseIfWritableByAll(path)
            let names = Set(SourceHeader.all(in: file.bytes).map(\.name))
            return File(path: path, bytes: file.bytes, names: names)
        } catch {
            problems.append(error)
            return nil
        }
    }

    mutating func add(feeds configuration: Configuration) {
        for (name, address) in configuration.feeds.sorted(by: { $0.key < $1.key }) {
            hashers[name.account, default: Hasher()].combine(address)
            do throws(CatalogueMistakes) {
                try catalogue.addFeed(name, at: address, trust: trust)
            } catch {
                problems += error.all.map { error in
                    let key = "feeds.\(name.text.dropFirst("feed.".utf8.count))"
                    return configuration.problem(key, error.message, hint: error.hint)
                }
            }
        }
    }

    mutating func add(file path: String, bytes: [UInt8]) -> [CatalogueError] {
        let identities = SourceHeader.all(in: bytes)
        let accounts = Set(identities.map { Optional($0.name.account) })
        for account in accounts.isEmpty ? [nil] : accounts {
            hashers[account, default: Hasher()].combine(path)
            hashers[account, default: Hasher()].combine(bytes)
            digests[account] = Digest.text(Array((digests[account] ?? "").utf8) + bytes)
        }
        do throws(CatalogueMistakes) {
            try catalogue.add(file: path, bytes: bytes, trust: trust)
            return []
        } catch {
            refused += identities.map { RefusedSource(identity: $0, problems: error.all) }
            return error.all
        }
    }
}
