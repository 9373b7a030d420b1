import Catalogue
import Engine
import Fleet
import SearchModel

/// Reads the configuration, the source files and the secrets.
struct ConfigurationLoader {
    let surroundings: ProcessEnvironment
    let options: CommandLineOptions

    struct Loaded {
        var configuration: Configuration
        var file: String?
        var files: SourceFiles
        var registry: SourceRegistry
        var fleet: FleetSettings?
        var adminGroup: UInt32?
        var problems: [CatalogueError]
        var fatal: [CatalogueError]
    }

    /// Throws if a problem prevents the start; the result has all other problems.
    func load() throws(StartError) -> Loaded {
        let loaded = inspect()
        guard let first = loaded.fatal.first else { return loaded }
        let count = loaded.fatal.count
        let hint = count == 1 ? "Fix the file." : "“searchd --check” lists all \(count) problems."
        throw StartError(first.description, hint: hint, code: .configuration)
    }

    func inspect() -> Loaded {
        let (configuration, file, problems) = readConfiguration()
        guard problems.isEmpty else {
            // Source files are not read, because with a wrong configuration a valid one might seem invalid.
            var loaded = assemble(configuration, file: file, files: SourceFiles(trust: .user))
            loaded.problems = problems.sorted(by: Self.isBefore)
            loaded.fatal = problems
            return loaded
        }
        return assemble(configuration, file: file, files: sourceFiles(configuration))
    }

    private static func isBefore(_ left: CatalogueError, _ right: CatalogueError) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }

    private var named: String? { options.configuration ?? surroundings.variable("SEARCHD_CONFIG") }

    func readConfiguration() -> (Configuration, file: String?, problems: [CatalogueError]) {
        if let named, SmallFile.isMissing(named) {
            let problem = CatalogueError(file: named, "does not exist: check --config and $SEARCHD_CONFIG")
            return (Configuration(), named, [problem])
        }
        guard let path = named ?? surroundings.configurationPaths.first(where: { !SmallFile.isMissing($0) }) else {
            return (Configuration(), nil, [])
        }
        do throws(CatalogueError) {
            let file = try SmallFile.read(path, bytesMax: ConfigurationReader.bytesMax)
            // A user who can change the file can make searchd send keys to another server.
            try file.refuseIfWritableByAll(path)
            try SmallFile.refuseDirectoryWritableByAll(SmallFile.directory(of: path), forOneFile: true)
            let (configuration, problems) = ConfigurationReader.read(file.bytes, file: path)
            let locations = configuration.accounts.values.flatMap(\.secrets.values)
            let hasSecrets = (locations + [configuration.fleet?.password].compactMap(\.self)).contains {
                if case .value = $0 { true } else { false }
            }
            guard !hasSecrets || !file.isReadableByOthers else {
                throw CatalogueError(file: path, "holds keys and can be read by others: chmod 600 \(path)")
            }
            return (configuration, path, problems)
        } catch {
            return (Configuration(), path, [error])
        }
    }

    /// Reads the source files; later files replace earlier files.
    ///
    /// First come the files beside the machine's configuration, then those beside the user's, then those beside the file
    /// of `--config`, and last those in `sourceDirectories`.
    func sourceFiles(
        _ configuration: Configuration,
        isIgnored: (_ path: String, _ bytes: [UInt8]) -> Bool = { _, _ in false }
    ) -> SourceFiles {
        let configurations = surroundings.configurationPaths.reversed() + (named.map { [$0] } ?? [])
        let adjacent = configurations.map { SmallFile.directory(of: $0) + "/sources.d" }
        var directories: [String] = []
        for directory in adjacent + configuration.sourceDirectories where !directories.contains(directory) {
            directories.append(directory)
        }
        var files = SourceFiles(trust: .user(allowedHosts: configuration.allowedHosts))
        files.add(directories: directories, isIgnored: isIgnored)
        files.add(feeds: configuration)
        return files
    }

    func assemble(_ configuration: Configuration, file: String?, files: SourceFiles) -> Loaded {
        let (accounts, unreadable) = readAccounts(configuration, files.catalogue)
        let review = ConfigurationReview(
            configuration: configuration,
            catalogue: files.catalogue,
            refused: files.refused
        )
        let unknown = review.problems.sorted(by: Self.isBefore)
        let adminGroup = configuration.adminGroup.flatMap(UserGroup.number)
        let (fleet, wrongFleet) = readFleet(configuration)
        var problems = unreadable + unknown + wrongFleet
        if let name = configuration.adminGroup, adminGroup == nil {
            problems.append(configuration.problem("adminGroup", "unknown group \(name)"))
        }
        let sources = files.catalogue.sources.values.map { source in
            let settings = configuration.sources[source.name] ?? Configuration.SourceSettings()
            var access = accounts[source.account] ?? AccountAccess()
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
        let registry = SourceRegistry(
            catalogue: files.catalogue,
            sources: sources,
            refused: files.refused,
            profiles: Profile.builtIn() + configuration.profiles,
            defaults: configuration.defaultSources,
            language: surroundings.language
        )
        return Loaded(
            configuration: configuration,
            file: file,
            files: files,
            registry: registry,
            fleet: fleet,
            adminGroup: adminGroup,
            problems: problems.sorted(by: Self.isBefore) + files.problems,
            // If a source file is invalid, unknown sources are not fatal, because the file may declare them.
            fatal: (files.problems.isEmpty ? unknown : []) + wrongFleet
        )
    }

    private func readFleet(_ configuration: Configuration) -> (FleetSettings?, problems: [CatalogueError]) {
        guard let fleet = configuration.fleet else { return (nil, []) }
        guard let address = fleet.address else {
            let hint = "Write valkey://HOST:6379, redis://HOST:6379 or unix:/PATH."
            return (nil, [configuration.problem("fleet", "has no url", hint: hint)])
        }
        let (password, problems) = SecretReader(environment: surroundings.environment).password(of: configuration)
        let settings = FleetSettings(
            address: address,
            user: fleet.user,
            password: password,
            prefix: fleet.prefix,
            offlineShare: fleet.offlineShare
        )
        return (settings, problems)
    }

    private func readAccounts(
        _ configuration: Configuration,
        _ catalogue: Catalogue
    ) -> ([String: AccountAccess], problems: [CatalogueError]) {
        let reader = SecretReader(environment: surroundings.environment, store: surroundings.secretStore)
        let slots = Dictionary(grouping: catalogue.sources.values, by: \.account).mapValues { sources in
            Set(sources.flatMap { $0.shared.secrets.map(\.name) })
        }
        var accounts: [String: AccountAccess] = [:]
        var problems: [CatalogueError] = []
        for name in Set(configuration.accounts.keys).union(slots.keys).sorted() {
            let (access, unreadable) = reader.read(name, slots: slots[name] ?? [], of: configuration)
            accounts[name] = access
            problems += unreadable
        }
        return (accounts, problems)
    }
}
