import Catalogue
import Engine
import SearchModel

/// Reads configuration and sources from the disk into what the engine works with.
struct ConfigurationLoader {
    let surroundings: Surroundings
    let options: CommandLineOptions

    /// Everything that was read, and what was wrong but does not hold the daemon up.
    struct Loaded {
        var configuration: Configuration
        var directory: SourceDirectory
        /// Where the configuration came from; nil for none.
        var file: String?
        var problems: [String]
    }

    /// - Throws: When the configuration is wrong; wrong source files are problems, and the others go on.
    func load() throws(StartError) -> Loaded {
        let (configuration, file) = try configuration()
        var problems: [String] = []
        var catalogue = Catalogue.builtIn()
        for directory in sourceDirectories(configuration) { readSources(directory, &catalogue, &problems) }
        let sources = configured(catalogue, configuration, &problems)
        let directory = SourceDirectory(
            catalogue: catalogue,
            sources: sources,
            defaults: configuration.defaultSources
        )
        return Loaded(configuration: configuration, directory: directory, file: file, problems: problems)
    }

    private func configuration() throws(StartError) -> (Configuration, file: String?) {
        if let named = options.configuration ?? surroundings.variable("SEARCHD_CONFIG") {
            return (try read(named), named)
        }
        for path in surroundings.configurationPaths {
            do throws(FileProblem) {
                let file = try SmallFile.read(path, bytesMax: ConfigurationReader.bytesMax)
                return (try parse(file, path), path)
            } catch  where error.isMissing {
                continue
            } catch {
                throw StartError(error.message, hint: "Mend or remove the file.", code: .configuration)
            }
        }
        return (Configuration(), nil)
    }

    private func read(_ path: String) throws(StartError) -> Configuration {
        do throws(FileProblem) {
            return try parse(try SmallFile.read(path, bytesMax: ConfigurationReader.bytesMax), path)
        } catch {
            throw StartError(error.message, hint: "Check --config and $SEARCHD_CONFIG.", code: .configuration)
        }
    }

    private func parse(_ file: SmallFile, _ path: String) throws(FileProblem) -> Configuration {
        let configuration: Configuration
        do throws(CatalogueError) {
            configuration = try ConfigurationReader.read(file.bytes, file: path)
        } catch {
            throw FileProblem("\(error)")
        }
        let holdsSecrets = configuration.accounts.values.contains { account in
            account.secrets.values.contains { if case .value = $0 { true } else { false } }
        }
        guard !holdsSecrets || !file.isReadableByOthers else {
            throw FileProblem("\(path) holds keys and can be read by others: chmod 600 \(path)")
        }
        return configuration
    }

    private func sourceDirectories(_ configuration: Configuration) -> [String] {
        guard configuration.sourceDirectories.isEmpty else { return configuration.sourceDirectories }
        return surroundings.configurationPaths.reversed().map { path in
            SocketPath.directory(of: path) + "/sources.d"
        }
    }

    private func readSources(_ directory: String, _ catalogue: inout Catalogue, _ problems: inout [String]) {
        let names: [String]
        do throws(FileProblem) {
            names = try SmallFile.names(in: directory)
        } catch {
            problems.append(error.message)
            return
        }
        for name in names where name.hasSuffix(".json5") {
            let path = "\(directory)/\(name)"
            do {
                let file = try SmallFile.read(path, bytesMax: Catalogue.fileBytesMax)
                try catalogue.add(file: path, bytes: file.bytes, trust: .user)
            } catch let problem as FileProblem {
                problems.append(problem.message)
            } catch {
                problems.append("\(error)")
            }
        }
    }

    private func configured(
        _ catalogue: Catalogue,
        _ configuration: Configuration,
        _ problems: inout [String]
    ) -> [ConfiguredSource] {
        let reader = SecretReader(environment: surroundings.environment)
        var accesses: [String: AccountAccess] = [:]
        for (name, account) in configuration.accounts.sorted(by: { $0.key < $1.key }) {
            let (access, unread) = reader.read(account, named: name)
            accesses[name] = access
            problems += unread
        }
        let accounts = Set(catalogue.sources.values.map(\.account))
        for name in accesses.keys.sorted() where !accounts.contains(name) {
            let nearest = NearestName.of(name, among: accounts.sorted()).map { "; did you mean \($0)?" } ?? ""
            problems.append("accounts.\(name): no source uses that account\(nearest)")
        }
        for name in configuration.sources.keys.sorted() where catalogue[name] == nil {
            problems.append("sources.\"\(name)\": there is no such source")
        }
        return catalogue.sources.values.map { source in
            let settings = configuration.sources[source.name]
            var access = accesses[source.account] ?? AccountAccess()
            if let baseURL = settings?.baseURL { access.baseURL = baseURL }
            return ConfiguredSource(
                source: source,
                access: access,
                isEnabled: settings?.isEnabled ?? true,
                ttl: settings?.ttl
            )
        }
    }
}
