import CPlatform
import Catalogue
import Engine
import Glibc
import HTTP
import SearchModel

/// `searchd --check-source`: reads one source file as the daemon would, and tries it if asked to.
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

    /// Prints what there is to tell; the exit status.
    func run() -> Int32 {
        let (lines, status) = outcome()
        CheckOutput.print(lines)
        return status.number
    }

    func outcome() -> (lines: [String], status: TrialStatus) {
        do throws(StartError) {
            let (configuration, path) = try loader.rightConfiguration()
            let bytes: [UInt8]
            do throws(FileProblem) {
                bytes = try SmallFile.read(file, bytesMax: Catalogue.fileBytesMax).bytes
            } catch {
                return ([SafeText.line(error.message)], .fileIsWrong)
            }
            let names = Set(SourceIdentity.all(in: bytes).map(\.name))
            // The file, or a copy of it, may be in its place already; it is not to meet itself there.
            var files = loader.sourceFiles(configuration) { path, installed in
                Self.isSame(path, file) || !names.isDisjoint(with: SourceIdentity.all(in: installed).map(\.name))
            }
            let problems = files.add(file: file, bytes: bytes)
            guard problems.isEmpty else { return (problems.map { SafeText.line($0.description) }, .fileIsWrong) }
            let directory = loader.assemble(configuration, file: path, files: files).directory
            return report(SourceIdentity.all(in: bytes).compactMap { directory[$0.name] })
        } catch {
            return ([SafeText.line(error.message), error.hint], .fileIsWrong)
        }
    }

    private func report(_ sources: [ConfiguredSource]) -> ([String], TrialStatus) {
        var lines = ["\(SafeText.line(file)): no errors."]
        if sources.isEmpty { lines.append("It declares no source.") }
        for source in sources { lines += [""] + SourceSummary(configured: source, now: now).lines }
        guard let query else { return (lines, .found) }
        guard let source = sources.first else { return (lines + ["There is no source to try."], .usage) }
        let page = PageRequest(query: query)
        var trial = TrialReport(source.source, account: source.access, page: page)
        do throws(SearchError) {
            if let error = source.unavailable { throw error }
            let request = try source.source.request(for: page, account: source.access)
            trial.asked(request)
            trial.answered(try SourceTrial.run(request, of: source), at: now)
            if let item = trial.item {
                let request = try source.source.request(for: PageRequest(item: item), account: source.access)
                trial.asked(request)
                trial.lookedUp(item, try SourceTrial.run(request, of: source), at: now)
            }
        } catch {
            trial.failed(error)
        }
        return (lines + [""] + trial.lines, trial.status)
    }

    /// Whether two paths lead to one file.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        var (first, second) = (stat(), stat())
        // Both structures live on this frame.
        guard unsafe stat(left, &first) == 0, unsafe stat(right, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }
}
