import Catalogue
import Engine
import SearchModel

/// Reads configuration and sources from the disk into what the engine works with.
struct ConfigurationLoader {
    let surroundings: ProcessEnvironment
    let options: CommandLineOptions

    /// Everything that was read, and what was wrong but does not hold the daemon up.
    struct Loaded {
        var configuration: Configuration
        var directory: SourceDirectory
        /// Where the configuration came from; nil for none.
        var file: String?
        var problems: [LoadProblem]
        /// Those of them that are about what the configuration says of sources: nothing there has such a name.
        var wrong: [CatalogueError]
        /// The files of sources that are not the program's own.
        var files: SourceFiles
        /// The number of the configuration's `adminGroup`.
        var adminGroup: UInt32?
    }

    /// What a daemon is to run with.
    ///
    /// - Throws: When the configuration is wrong; wrong source files are problems, and the others go on.
    func load() throws(StartError) -> Loaded {
        let (configuration, file) = try rightConfiguration()
        let loaded = assemble(configuration, file: file, files: sourceFiles(configuration))
        // Beside a wrong source file, a right configuration may seem wrong.
        if loaded.files.problems.isEmpty { try Self.refuse(loaded.wrong) }
        return loaded
    }

    /// The configuration alone.
    ///
    /// - Throws: When it is wrong.
    func rightConfiguration() throws(StartError) -> (Configuration, file: String?) {
        let (configuration, file, wrong) = try configuration()
        try Self.refuse(wrong)
        return (configuration, file)
    }

    private static func refuse(_ wrong: [CatalogueError]) throws(StartError) {
        guard let first = wrong.first else { return }
        throw StartError(
            first.description,
            hint: wrong.count == 1 ? "Fix the file." : "“searchd --check” lists all \(wrong.count) problems.",
            code: .configuration,
            location: FileLocation(first)
        )
    }

    /// The same for a check alone: what is wrong with the configuration is among the problems.
    ///
    /// - Throws: When the configuration can't be read at all.
    func inspect() throws(StartError) -> Loaded {
        let (configuration, file, wrong) = try configuration()
        // Without what the configuration says, a right source file may seem wrong.
        let files = wrong.isEmpty ? sourceFiles(configuration) : SourceFiles(trust: .user)
        var loaded = assemble(configuration, file: file, files: files)
        if !wrong.isEmpty { loaded.problems = Self.sorted(wrong) }
        return loaded
    }

    // MARK: Sources

    /// The files of the directories that hold sources, over those that the program brings; some may be left out.
    func sourceFiles(
        _ configuration: Configuration,
        isLeftOut: (_ path: String, _ bytes: [UInt8]) -> Bool = { _, _ in false }
    ) -> SourceFiles {
        var files = SourceFiles(trust: .user(allowedHosts: configuration.allowedHosts))
        files.add(directories: sourceDirectories(configuration), isLeftOut: isLeftOut)
        return files
    }

    /// The machine's, the user's, the one beside a configuration that was named, and those that it names; a later one
    /// may replace what an earlier one has.
    private func sourceDirectories(_ configuration: Configuration) -> [String] {
        let files = surroundings.configurationPaths.reversed() + (named.map { [$0] } ?? [])
        let beside = files.map { SocketPath.directory(of: $0) + "/sources.d" }
        var directories: [String] = []
        for directory in beside + configuration.sourceDirectories where !directories.contains(directory) {
            directories.append(directory)
        }
        return directories
    }

    /// Puts sources and configuration together.
    func assemble(_ configuration: Configuration, file: String?, files: SourceFiles) -> Loaded {
        var problems: [CatalogueError] = []
        let reader = SecretReader(environment: surroundings.environment, store: surroundings.secretStore)
        let catalogue = files.catalogue
        let slots = Dictionary(grouping: catalogue.sources.values, by: \.account).mapValues { sources in
            Set(sources.flatMap { $0.secrets.map(\.name) })
        }
        let strayKeys = StrayKeys(configuration, catalogue)
        var accesses: [String: AccountAccess] = [:]
        for name in Set(configuration.accounts.keys).union(slots.keys).sorted() {
            let (access, unread) = reader.read(name, slots: slots[name] ?? [], of: configuration)
            accesses[name] = access
            problems += unread.map(strayKeys.masked)
        }
        let review = ConfigurationReview(configuration: configuration, catalogue: catalogue, refused: files.refused)
        let wrong = review.problems.map(strayKeys.masked).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        problems += wrong
        let adminGroup = configuration.adminGroup.flatMap(UserGroup.number)
        if let name = configuration.adminGroup, adminGroup == nil {
            problems.append(configuration.problem("adminGroup", "there is no group called \(name)"))
        }
        let sources = catalogue.sources.values.map { source in
            let settings = configuration.sources[source.name] ?? Configuration.SourceSettings()
            var access = accesses[source.account] ?? AccountAccess()
            if let baseURL = settings.baseURL { access.baseURL = baseURL }
            return ConfiguredSource(
                source: source,
                access: access,
                isEnabled: settings.isEnabled,
                ttl: settings.ttl,
                limits: settings.limits,
                weight: settings.weight
            )
        }
        let directory = SourceDirectory(
            catalogue: catalogue,
            sources: sources,
            refused: files.refused,
            profiles: Profile.builtIn() + configuration.profiles,
            defaults: configuration.defaultSources,
            language: surroundings.language
        )
        return Loaded(
            configuration: configuration,
            directory: directory,
            file: file,
            problems: Self.sorted(problems) + files.problems,
            wrong: wrong,
            files: files,
            adminGroup: adminGroup
        )
    }

    private static func sorted(_ problems: [CatalogueError]) -> [LoadProblem] {
        problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }.map(LoadProblem.init)
    }

    // MARK: The configuration

    /// The file that must be there.
    private var named: String? { options.configuration ?? surroundings.variable("SEARCHD_CONFIG") }

    private typealias Found = (Configuration, file: String?, wrong: [CatalogueError])

    private func configuration() throws(StartError) -> Found {
        if let named {
            do throws(FileProblem) {
                return try read(named)
            } catch {
                throw StartError(
                    error.message,
                    hint: error.isMissing ? "Check --config and $SEARCHD_CONFIG." : "Fix or remove the file.",
                    code: .configuration,
                    location: FileLocation(file: named, line: nil, key: nil)
                )
            }
        }
        for path in surroundings.configurationPaths {
            do throws(FileProblem) {
                return try read(path)
            } catch  where error.isMissing {
                continue
            } catch {
                throw StartError(
                    error.message,
                    hint: "Fix or remove the file.",
                    code: .configuration,
                    location: FileLocation(file: path, line: nil, key: nil)
                )
            }
        }
        return (Configuration(), nil, [])
    }

    private func read(_ path: String) throws(FileProblem) -> Found {
        let file = try SmallFile.read(path, bytesMax: ConfigurationReader.bytesMax)
        // A user who can write it can have keys sent to an address of his own.
        try file.refuseIfWritableByAll(path)
        try SmallFile.refuseDirectoryWritableByAll(SocketPath.directory(of: path), forOneFile: true)
        let (configuration, problems) = ConfigurationReader.read(file.bytes, file: path)
        let holdsSecrets = configuration.accounts.values.contains { account in
            account.secrets.values.contains { if case .value = $0 { true } else { false } }
        }
        guard !holdsSecrets || !file.isReadableByOthers else {
            throw FileProblem("\(path) holds keys and can be read by others: chmod 600 \(path)")
        }
        return (configuration, path, problems.map(StrayKeys(configuration, .builtIn()).masked))
    }
}
