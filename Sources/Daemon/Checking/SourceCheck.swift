import CPlatform
import Catalogue
import Engine
import EventLoop
import HTTP
import SearchModel
import Upstream

/// Implements `searchd --check-source`: checks a source file, and also calls the source if a query is given.
struct SourceCheck {
    private let file: String
    private let query: SearchQuery?
    private let loader: ConfigurationLoader
    private let now = platform_realtime_ns() / 1_000_000_000

    init(
        file: String,
        query: SearchQuery?,
        _ options: CommandLineOptions,
        _ surroundings: ProcessEnvironment = .current()
    ) {
        self.file = file
        self.query = query
        loader = ConfigurationLoader(surroundings: surroundings, options: options)
    }

    func run() -> Int32 {
        let (lines, status) = outcome()
        for line in lines { print(line) }
        return status.rawValue
    }

    func outcome() -> (lines: [String], status: TrialStatus) {
        do throws(CatalogueError) {
            let bytes = try SmallFile.read(file, bytesMax: Catalogue.fileBytesMax).bytes
            let (configuration, path, wrong) = loader.readConfiguration()
            guard wrong.isEmpty else { return refusal(wrong) }
            let names = Set(SourceHeader.all(in: bytes).map(\.name))
            // Installed files with the same sources are ignored, because they would conflict with the checked file.
            var files = loader.sourceFiles(configuration) { path, installed in
                FileIdentity(path, followsLinks: true) == FileIdentity(file, followsLinks: true)
                    || !names.isDisjoint(with: SourceHeader.all(in: installed).map(\.name))
            }
            let problems = files.add(file: file, bytes: bytes)
            guard problems.isEmpty else { return refusal(problems) }
            let loaded = loader.assemble(configuration, file: path, files: files)
            return report(SourceHeader.all(in: bytes).compactMap { loaded.registry[$0.name] }, loaded.problems)
        } catch {
            return refusal([error])
        }
    }

    private func refusal(_ problems: [CatalogueError]) -> ([String], TrialStatus) {
        (problems.map { SafeText.line($0.description) }, .fileIsWrong)
    }

    private func report(_ sources: [ConfiguredSource], _ problems: [CatalogueError]) -> ([String], TrialStatus) {
        var lines = ["\(SafeText.line(file)): no errors."]
        if sources.isEmpty { lines.append("It declares no source.") }
        for configured in sources {
            let source = configured.source
            let error = configured.unavailable
            lines.append(SafeText.line("\(source.name), \(source.kind.text): \(source.title)"))
            let wrong = problems.filter { $0.key.hasPrefix("accounts.\(source.account).") }.map(\.description)
            let hint = error?.hint.map { $0.hasPrefix("Run ") ? "After the file is installed, r\($0.dropFirst())" : $0 }
            let state = (error?.message ?? "ready") + (hint.map { ". \($0)" } ?? "")
            lines += (wrong.isEmpty ? [state] : wrong).map { SafeText.line("  \($0)") }
        }
        guard let query else { return (lines, .found) }
        guard let source = sources.first else { return (lines + ["The file has no source to call."], .usage) }
        if let error = source.unavailable { return (lines, TrialStatus(of: error.kind)) }
        var trial = TrialReport(source.source, account: source.access, page: PageRequest(query: query))
        do throws(SearchError) {
            trial.answered(try call(source, PageRequest(query: query), &trial), at: now)
            if let item = trial.item {
                trial.lookedUp(item, try call(source, PageRequest(item: item), &trial), at: now)
            }
        } catch {
            trial.failed(error)
        }
        return (lines + [""] + trial.lines, trial.status)
    }

    private func call(
        _ configured: ConfiguredSource,
        _ page: PageRequest,
        _ trial: inout TrialReport
    ) throws(SearchError) -> FetchedResponse {
        let source = configured.source.name
        let request = try configured.source.request(for: page, account: configured.access)
        trial.asked(request)
        guard let loop = try? EventLoop() else {
            throw SearchError(.internal, "the event loop cannot be created", source: source)
        }
        let outcome = Locked<Result<FetchedResponse, SearchError>?>(nil)
        Task(executorPreference: loop) {
            let client = HTTPClient(
                loop: loop,
                configuration: HTTPClientConfiguration(userAgent: "searchd/\(Version.program)")
            )
            let result: Result<FetchedResponse, SearchError>
            do throws(FetchError) {
                result = .success(try await client.fetch(configured.upstream.fetchRequest(request)))
            } catch {
                result = .failure(SearchError(error, of: source))
            }
            outcome.withLock { $0 = result }
            await client.shutdown()
            loop.stop()
        }
        loop.run()
        guard let result = outcome.withLock({ $0 }) else { throw .cancelled }
        return try result.get()
    }
}
