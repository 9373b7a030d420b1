import EventLoop
import Hangul
import JSON
import RPC
import SearchModel

/// `searchctl search`: asks, prints what comes, reports on standard error how it went.
struct SearchCommand {
    /// How much longer than the daemon's own time-out an answer may take before the daemon counts as hung.
    static let graceSeconds = 5
    /// No search takes as many requests.
    private static let furtherID = 1_000_000

    /// What changes while a search runs.
    struct State {
        var presenter: SearchPresenter
        var waiting = WaitingSources()
        var request = 0
        /// Whether it was answered from the cache because there is no network.
        var isOffline = false
        /// Sources that were reported as failed before the final answer, which may be an error that names one alone.
        var failed: [SearchReport.Source] = []
        var troubles: SourceTroubles
    }

    let parameters: SearchParameters
    let context: Context
    let format: HitFormat
    let notices: SearchNotices
    let progress: ProgressLine
    let output: SearchOutput
    private let arguments: Arguments
    private let style: Style
    let showsProgress: Bool

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let command = try SearchCommand(try QueryInput.filled(arguments, context), context)
        if command.parameters.isEmpty { return .nothingFound }
        return try Connector(command.arguments, context).withExchange { exchange throws(ClientError) in
            try command.search(&exchange)
        }
    }

    init(_ arguments: Arguments, _ context: Context) throws(ClientError) {
        let console = context.console
        parameters = try SearchParameters(
            arguments,
            now: context.now(),
            zone: context.zone,
            isOnTerminal: console.outputIsTerminal
        )
        format = try HitFormat.chosen(arguments, outputIsTerminal: console.outputIsTerminal)
        self.arguments = arguments
        self.context = context
        style = Style(arguments, environment: context.environment, isTerminal: console.outputIsTerminal)
        notices = SearchNotices(arguments, format, console)
        showsProgress = notices.mayShowProgress(context.environment)
        progress = ProgressLine(console: console, isOn: showsProgress, patience: ProgressLine.patience)
        let rows = context.screenRows
        let mayPage = format == .text && rows != nil && !arguments.has(.noPager) && !arguments.has(.stream)
        output = SearchOutput(pagerWords: mayPage ? PagerChoice.words(context.environment) : nil, rows: rows ?? 0)
    }

    private func search(_ exchange: inout DaemonConnection) throws(ClientError) -> ExitStatus {
        var state = State(presenter: presenter(), troubles: SourceTroubles(clock: context.clock))
        let report: SearchReport
        do throws(ClientError) {
            report = try pages(&exchange, &state)
            remember(state.presenter)
            try output.finish(&exchange)
        } catch {
            progress.clear()
            exchange.cancel(state.request)
            try keep(&state, &exchange, after: error)
            if SearchReport.isFailureOfSources(error) {
                for source in state.failed { state.troubles.add(source.trouble ?? error, of: source.name) }
                state.troubles.add(error, of: error.source)
                for trouble in state.troubles.errors { context.console.report(FailureText.line(trouble)) }
                try? tellMissingKeys(&exchange)
                return ExitStatus(of: error)
            }
            throw OptionWords.translate(error, OptionWords.names(of: arguments))
        }
        return try finish(report, &state, &exchange)
    }

    /// Asks for as many pages as are wanted, and prints them.
    private func pages(_ exchange: inout DaemonConnection, _ state: inout State) throws(ClientError) -> SearchReport {
        var report = try firstPage(&exchange, &state)
        var count = 1
        // What a filter leaves of a page may be nothing, and of the next one something.
        while let next = report.next, parameters.isAll, state.presenter.lastHadHits || parameters.isFiltered {
            count += 1
            switch try page(request(count, after: next), &exchange, &state) {
            case .success(let page): report.add(page)
            // What came before is worth having.
            case .failure(let error) where state.presenter.found > 0 && SearchReport.isFailureOfSources(error):
                report.end(with: error)
            case .failure(let error): throw error
            }
        }
        return report
    }

    /// The first page; what the cache has of it when the machine is offline.
    private func firstPage(
        _ exchange: inout DaemonConnection,
        _ state: inout State
    ) throws(ClientError) -> SearchReport {
        switch try page(request(1), &exchange, &state) {
        case .success(let report): return report
        case .failure(let error) where error.isOffline && !parameters.isOffline:
            state.troubles.add(error, of: nil)
            state.isOffline = true
            var request = request(1)
            request.isOffline = true
            let report = try page(request, &exchange, &state).get()
            if report.sources.allSatisfy({ $0.status == .skipped }) { throw error }
            return report
        case .failure(let error): throw error
        }
    }

    private func request(_ number: Int, after cursor: String? = nil) -> SearchParameters.PageRequest {
        SearchParameters.PageRequest(
            number: number,
            cursor: cursor,
            tellsProgress: showsProgress,
            waitsForEnough: waitsForEnough
        )
    }

    /// A person at a terminal does not wait for what is hardly worth it; a program gets all there is.
    private var waitsForEnough: Bool {
        // What is sorted by date or title is only right when all have answered.
        context.console.outputIsTerminal && format != .json && !parameters.isAll && parameters.isByRelevance
    }

    /// Asks for one page and prints it; the failure is the daemon's own answer, what is thrown is everything else.
    private func page(
        _ page: SearchParameters.PageRequest,
        _ exchange: inout DaemonConnection,
        _ state: inout State
    ) throws(ClientError) -> Result<SearchReport, ClientError> {
        state.request += 1
        state.presenter.begin()
        state.waiting = WaitingSources()
        try exchange.send(line: RequestLine.request(state.request, .search, params: parameters.json(page)))
        let answered = try answer(&exchange, &state)
        progress.clear()
        let result: JSONCursor
        switch answered {
        case .success(let answer): result = answer
        case .failure(let error): return .failure(error)
        }
        let report = SearchReport(result)
        try output.print(state.presenter.finished(result, report), to: &exchange)
        result[.trace]?.forEachElement { step in
            TraceText.lines(step, columns: context.console.errorColumns).forEach(context.console.report)
        }
        return .success(report)
    }

    /// Prints what has come, whatever ended the rest.
    private func keep(
        _ state: inout State,
        _ exchange: inout DaemonConnection,
        after error: ClientError
    ) throws(ClientError) {
        if error.code == .outputClosed || error.code == .outputFailed {
            output.close()
            remember(state.presenter)
            throw error
        }
        if error.code == .interrupted {
            context.console.takeInterrupt()
            takeArrived(&exchange, &state)
        }
        try output.print(state.presenter.interrupted(), to: &exchange)
        if state.presenter.found > 0 { remember(state.presenter) }
        try output.finish(&exchange)
        if error.code == .interrupted, format == .text, state.presenter.found > 0 {
            notices.report("interrupted · \(FigureText.count(state.presenter.found, "hit"))")
        }
    }

    private func presenter() -> SearchPresenter {
        let console = context.console
        let form: SearchPresenter.Form =
            switch format {
            case .json: .json(isVisible: console.outputIsTerminal)
            case .text:
                .text(
                    HitText(
                        arguments.has(.long) ? .long : .compact(linesBelow: isTall ? 2 : 1),
                        columns: console.columns,
                        numberMax: parameters.offset + parameters.limit,
                        // What is private is not remembered, and “show 1” is a hit of the list before.
                        hasNumbers: !parameters.isPrivate,
                        query: parameters.query,
                        style: style,
                        now: context.now(),
                        zone: context.zone
                    )
                )
            case .lines(let format): .lines(format, context.zone)
            }
        return SearchPresenter(
            form,
            isStreamed: arguments.has(.stream),
            firstNumber: parameters.offset + 1,
            foundMax: parameters.foundMax,
            now: context.now()
        )
    }

    /// Whether the screen has three lines for each hit.
    private var isTall: Bool { (context.screenRows ?? 0) > 3 * min(parameters.limit, WireBounds.limitDefault) + 4 }

    /// Keeps what was found for `open`, `show` and `again`.
    private func remember(_ presenter: SearchPresenter) {
        guard !parameters.isPrivate else { return }
        var search = LastSearch(
            session: context.console.session,
            words: arguments.words(of: CommandOption.ofSearch),
            firstNumber: parameters.offset + 1,
            hits: presenter.printed
        )
        if parameters.offset > 0, let earlier = try? LastSearchStore.load(context), isSame(asIn: earlier) {
            search = search.continuing(earlier)
        }
        LastSearchStore(context)?.save(search)
    }

    /// Whether an earlier search differs from this one in its page and in what is printed at most.
    private func isSame(asIn earlier: LastSearch) -> Bool {
        func words(_ arguments: Arguments) -> [String] {
            arguments.without([.page, .offset] + AgainCommand.output).words(of: CommandOption.ofSearch)
        }
        return (try? AgainCommand.arguments(of: earlier)).map(words) == words(arguments)
    }

    /// Reports how it went; the exit status.
    private func finish(
        _ report: SearchReport,
        _ state: inout State,
        _ exchange: inout DaemonConnection
    ) throws(ClientError) -> ExitStatus {
        let presenter = state.presenter
        let failed = report.failed(waitedForAll: !waitsForEnough)
        let hasFailed = !state.troubles.isEmpty || !failed.isEmpty || report.failure != nil
        for source in failed {
            if let trouble = source.trouble { state.troubles.add(trouble, of: source.name) }
        }
        if let failure = report.failure { state.troubles.add(failure, of: failure.source) }
        for line in state.troubles.lines(isWhole: arguments.has(.explain)) { notices.report(line) }
        try MissingField.tell(format, presenter.printed, report: notices.report)
        if format == .text {
            summarize(report, presenter, isOffline: parameters.isOffline || state.isOffline, &exchange)
        } else if report.isUnasked, let skipped = SummaryText.skipped(report) {
            notices.report(skipped)
        }
        // The hits are worth having without it.
        try? tellMissingKeys(&exchange)
        if hasFailed, arguments.has(.strict) { return .sourceFailed }
        return presenter.found > 0 ? .found : .nothingFound
    }

    private func summarize(
        _ report: SearchReport,
        _ presenter: SearchPresenter,
        isOffline: Bool,
        _ exchange: inout DaemonConnection
    ) {
        let summary = SummaryText(
            report: report,
            found: presenter.found,
            filter: parameters.filterText,
            isCut: parameters.isFiltered && report.hasMore && !presenter.isFull,
            isOffline: isOffline,
            // What a page that is not full lacks is not on the next one: its sources were left out, or failed.
            nextPage: report.hasMore && presenter.isFull ? parameters.nextPage : nil,
            page: parameters.page
        )
        for line in summary.lines(columns: context.console.errorColumns) { notices.report(line) }
        let completed = SummaryText.completed(report, typed: parameters.query)
        if let completed { notices.report(completed) }
        let words = arguments.words(of: CommandOption.ofSearch)
        for line in DidYouMeanText.lines(meant(report, presenter, &exchange), of: words) { notices.report(line) }
        if waitsForEnough, let late = SummaryText.late(report) { notices.report(late) }
        // Why no source was asked for what was completed has been told.
        guard completed == nil else { return }
        let tellsAll = arguments.has(.long) || presenter.found == 0
        if tellsAll || !presenter.isFull, let skipped = SummaryText.skipped(report, onlyForNow: !tellsAll) {
            notices.report(skipped)
        }
    }

    /// What might have been meant instead: not when a filter has left out what was found.
    private func meant(
        _ report: SearchReport,
        _ presenter: SearchPresenter,
        _ exchange: inout DaemonConnection
    ) -> [String] {
        if presenter.found == 0, report.looked ?? 0 > 0 { return [] }
        if presenter.found == 0, !report.didYouMean.isEmpty { return report.didYouMean }
        // A wrong layout and initials find something now and then, though not what was meant.
        if let meant = WrongLayout.correctedIfCertain(parameters.query) { return [meant] }
        guard !parameters.isPrivate, DidYouMeanText.isInitials(parameters.query) else { return [] }
        let params = SuggestCommand.params(parameters.query, limit: DidYouMeanText.commandsMax)
        let result = try? exchange.ask(.suggest, params: params, id: Self.furtherID, within: Self.graceSeconds)
        return (result?[.suggestions]?.elements ?? []).compactMap { $0[.text]?.string }
    }

    /// Says which of the sources that were meant are off because they have no key.
    private func tellMissingKeys(_ exchange: inout DaemonConnection) throws(ClientError) {
        let names = parameters.sources.filter { $0.hasPrefix("@") && $0 != MissingKeys.standard }
        let isStandard = parameters.sources.allSatisfy { $0 == MissingKeys.standard } && parameters.kinds.isEmpty
        let reminder = KeyReminder(context)
        let mayRemind = isStandard && context.console.errorsIsTerminal && reminder?.isDue == true
        guard notices.isOn, !names.isEmpty || mayRemind else { return }
        let list = try exchange.ask(.sourceList, id: Self.furtherID, within: Self.graceSeconds)
        let missing = MissingKeys(list: list, keys: exchange.keys)
        if mayRemind { reminder?.keep() }
        let lines = names.compactMap(missing.line(of:)) + (mayRemind ? [missing.standardLine].compactMap(\.self) : [])
        for line in lines { notices.report(line) }
    }
}

/// Waiting for the answer to one request.
extension SearchCommand {
    /// Takes what comes until the final answer, which it returns; meanwhile the screen shows what is known.
    func answer(
        _ exchange: inout DaemonConnection,
        _ state: inout State
    ) throws(ClientError) -> Result<JSONCursor, ClientError> {
        let deadline = Instant.now.advanced(by: parameters.timeout + .seconds(Self.graceSeconds))
        let request = state.request
        while let line = try nextLine(&exchange, until: deadline) {
            switch try Message.read(line) {
            case .result(id: request, let result): return .success(result)
            case .failure(id: request, let error): return .failure(error)
            case .failure(id: nil, let error): throw error
            case .notification(let method, let params):
                guard let params, try take(method, params, &exchange, &state) else { continue }
                // What goes to the same terminal comes before the line.
                if context.console.outputIsTerminal { try exchange.flush() }
                if !output.isPaged { progress.show(state.waiting.line) }
            // Nothing else was asked for.
            case .result, .failure: continue
            }
        }
        throw Connector.lost
    }

    /// Takes the hits that are here already, when nothing further is waited for.
    func takeArrived(_ exchange: inout DaemonConnection, _ state: inout State) {
        while let line = try? exchange.nextLine(until: .now),
            case .notification(let method, let params?)? = try? Message.read(line)
        {
            guard (try? take(method, params, &exchange, &state)) != nil else { return }
        }
    }

    /// Takes a notification; false for one that a newer daemon sends and we don't know.
    private func take(
        _ method: String,
        _ params: JSONCursor,
        _ exchange: inout DaemonConnection,
        _ state: inout State
    ) throws(ClientError) -> Bool {
        switch NotificationName(exactly: method) {
        case .hits:
            state.waiting.received(hits: params, at: .now)
            let printed = state.presenter.received(hits: params)
            if !printed.isEmpty { progress.clear() }
            try output.print(printed, to: &exchange)
        case .source:
            state.waiting.received(source: params, at: .now)
            let source = SearchReport.Source(params)
            if source.status == .failed { state.failed.append(source) }
        case .progress: state.waiting.received(progress: params, at: .now)
        case .libraryChanged, .cancelRequest, nil: return false
        }
        return true
    }

    /// The daemon's next line; meanwhile the progress line appears when its time comes.
    private func nextLine(
        _ exchange: inout DaemonConnection,
        until deadline: Instant
    ) throws(ClientError) -> [UInt8]? {
        if let dueAt = progress.dueAt, dueAt < deadline {
            do throws(ClientError) {
                return try exchange.nextLine(until: dueAt)
            } catch  where error.code == .init(.timeout) {
                progress.showPending()
            }
        }
        return try exchange.nextLine(until: deadline)
    }
}
