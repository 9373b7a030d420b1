/// One run: the parts, one after another, each with new servers.
struct Session {
    let options: Options
    private let directory: TemporaryDirectory
    private let factory: PeerFactory

    init(_ options: Options) throws(BenchmarkError) {
        self.options = options
        directory = try TemporaryDirectory()
        factory = try PeerFactory(options, directory)
    }

    func run(progress: (String) -> Void) throws(BenchmarkError) -> Report {
        var report = Report()
        for part in options.parts {
            report.sections += try sections(of: part, progress)
        }
        return report
    }

    /// None when the part applies to none of the peers.
    private func sections(
        of part: Options.Part,
        _ progress: (String) -> Void
    ) throws(BenchmarkError) -> [Report.Section] {
        switch part {
        case .idle: [try IdlePart.run(options, factory, progress: progress)]
        case .start: [try StartPart.run(options, factory, progress: progress)]
        case .burst: try BurstPart.run(options, factory, progress: progress)
        case .miss: try MissPart.run(options, factory, progress: progress)
        case .load: [try load(progress)] + (try KeystrokePart.run(options, factory, progress: progress))
        case .cache: try CachePart.run(options, progress: progress)
        case .ranking: try RankingPart.run(progress: progress)
        case .library: try LibraryPart.run(options, factory, progress: progress)
        case .typing: try TypingPart.run(options, factory, progress: progress)
        case .agents: try AgentPart.run(options, factory, progress: progress)
        case .live: try LivePart.run(options, factory, progress: progress)
        case .trouble: try TroublePart.run(options, factory, progress: progress)
        }
    }

    private func load(_ progress: (String) -> Void) throws(BenchmarkError) -> Report.Section {
        progress("load: filling the caches")
        let (targets, answerBytes) = try LoadPart.targets(options, factory)
        let results = try LoadPart.run(options.plan, targets, progress: progress)
        return LoadPart.section(results, answerBytes: answerBytes, processors: factory.processors.description)
    }
}
