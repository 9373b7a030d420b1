import EventLoop
import JSON
import RPC
import SearchModel

/// `searchctl search`: asks, prints what comes, tells on standard error how it went.
struct SearchCommand {
    /// How much longer than the daemon's own time-out an answer may take before the daemon counts as hung.
    static let graceSeconds = 5
    /// How many pages are looked through for hits of the right dates.
    static let datedPagesMax = 20

    private let parameters: SearchParameters
    private let arguments: Arguments
    private let context: Context
    private let format: HitFormat
    private let style: Style
    private let timing: SearchPresenter.Timing
    private let showsProgress: Bool
    /// How many hits may stand on the screen before the answer says where they belong.
    private let previewLinesMax: Int
    private let progress: ProgressLine

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let command = try SearchCommand(arguments, context)
        return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            try command.search(&exchange)
        }
    }

    private init(_ arguments: Arguments, _ context: Context) throws(ClientError) {
        parameters = try SearchParameters(arguments, now: context.now())
        format = try HitFormat.chosen(arguments, outputIsTerminal: context.console.outputIsTerminal)
        timing = Self.timing(parameters, arguments, format)
        self.arguments = arguments
        self.context = context
        let console = context.console
        style = Style(arguments, environment: context.environment, isTerminal: console.outputIsTerminal)
        let canTakeBack = context.environment["TERM"].map { $0 != "dumb" } ?? false
        showsProgress = console.errorsIsTerminal && canTakeBack
        let rows = canTakeBack && console.outputIsTerminal ? Console.terminalSize(console.output)?.rows : nil
        previewLinesMax = max(0, (rows ?? 0) - HitPreview.linesLeft)
        progress = ProgressLine(console: console, isOn: showsProgress, patience: ProgressLine.patience)
    }

    private static func timing(
        _ parameters: SearchParameters,
        _ arguments: Arguments,
        _ format: HitFormat
    ) -> SearchPresenter.Timing {
        if parameters.arrivesInOrder { return .atOnce }
        guard parameters.beginsList else { return .merged }
        if arguments.has(.unmerged) { return .shared }
        // An order that was asked for is kept.
        return format == .json && !arguments.has(.merged) && !arguments.has(.sort) ? .shared : .merged
    }

    private func search(_ exchange: inout DaemonConnection) throws(ClientError) -> ExitStatus {
        var presenter = presenter()
        var request = 1
        exchange.print(presenter.frame.opening)
        do throws(ClientError) {
            var report = try page(request, after: nil, &exchange, &presenter).get()
            while let next = report.next, goesOn(after: request, presenter) {
                request += 1
                try add(page(request, after: next, &exchange, &presenter), to: &report, found: presenter.found)
            }
            exchange.print(presenter.frame.closing)
            try exchange.flush()
            remember(presenter)
            tell(report, presenter)
            return report.status(found: presenter.found, isStrict: arguments.has(.strict))
        } catch {
            progress.clear()
            exchange.cancel(request)
            if error.code == .outputClosed { throw error }
            remember(presenter)
            // What has come is worth having, whatever ended the rest.
            exchange.print(presenter.frame.closing)
            if error.code != .interrupted { try exchange.flush() }
            throw OptionWords.translate(error, OptionWords.names(of: arguments))
        }
    }

    /// Takes a page behind others; one that failed for its sources ends the list, since what came before is worth having.
    private func add(
        _ page: Result<SearchReport, ClientError>,
        to report: inout SearchReport,
        found: Int
    ) throws(ClientError) {
        switch page {
        case .success(let next): report.add(next)
        case .failure(let error) where found > 0 && SearchReport.isFailureOfSources(error): report.end(with: error)
        case .failure(let error): throw error
        }
    }

    /// Asks for one page and prints it; the failure is the daemon's own answer, what is thrown is everything else.
    private func page(
        _ request: Int,
        after cursor: String?,
        _ exchange: inout DaemonConnection,
        _ presenter: inout SearchPresenter
    ) throws(ClientError) -> Result<SearchReport, ClientError> {
        presenter.begin(pageSize: parameters.pageSize)
        let params = parameters.json(after: cursor, tellsProgress: showsProgress || timing == .shared)
        try exchange.send(line: RequestLine.request(request, .search, params: params))
        let appearsAt = Instant.now.advanced(by: HitPreview.patience)
        var preview = HitPreview(linesMax: previewLinesMax, appearsAt: appearsAt)
        let answered = try answer(request, &exchange, &presenter, &preview)
        progress.clear()
        exchange.print(preview.takeBack())
        let result: JSONCursor
        switch answered {
        case .success(let answer): result = answer
        case .failure(let error): return .failure(error)
        }
        let report = SearchReport(result)
        exchange.print(presenter.finished(result, report))
        result[.trace]?.forEachElement { context.console.report(TraceText.line($0)) }
        return .success(report)
    }

    /// Whether a further page is wanted; one that brought nothing is the last, whatever its cursor says.
    private func goesOn(after pages: Int, _ presenter: SearchPresenter) -> Bool {
        guard parameters.mayTakePages, !presenter.isFull, presenter.cameLast > 0 else { return false }
        return parameters.isAll || pages < Self.datedPagesMax
    }

    /// Prints hits until the final answer comes, which it returns.
    private func answer(
        _ request: Int,
        _ exchange: inout DaemonConnection,
        _ presenter: inout SearchPresenter,
        _ preview: inout HitPreview
    ) throws(ClientError) -> Result<JSONCursor, ClientError> {
        let deadline = Instant.now.advanced(by: parameters.timeout + .seconds(Self.graceSeconds))
        var waiting = WaitingSources()
        while let line = try nextLine(&exchange, until: deadline, &preview) {
            switch try Message.read(line) {
            case .result(id: request, let result): return .success(result)
            case .failure(id: request, let error): return .failure(error)
            case .failure(id: nil, let error): throw error
            case .notification(let method, let params):
                guard let params, take(method, params, &waiting, &exchange, &presenter, &preview)
                else { continue }
                // What goes to the same terminal comes before the line.
                if context.console.outputIsTerminal { try exchange.flush() }
                progress.show(waiting.line)
            // Nothing else was asked for.
            case .result, .failure: continue
            }
        }
        throw Connector.lost
    }

    /// Takes a notification; false for one that a newer daemon sends and we don't know.
    private func take(
        _ method: String,
        _ params: JSONCursor,
        _ waiting: inout WaitingSources,
        _ exchange: inout DaemonConnection,
        _ presenter: inout SearchPresenter,
        _ preview: inout HitPreview
    ) -> Bool {
        switch NotificationName(exactly: method) {
        case .hits:
            waiting.received(hits: params, at: .now)
            preview.add(presenter.preview(of: params))
            let printed = presenter.received(hits: params) + preview.text(at: .now)
            if !printed.isEmpty { progress.clear() }
            exchange.print(printed)
        case .source: waiting.received(source: params, at: .now)
        case .progress:
            waiting.received(progress: params, at: .now)
            presenter.received(progress: params)
        case .cancelRequest, nil: return false
        }
        return true
    }

    /// The daemon's next line; meanwhile the progress line and the hits that have come appear when their time comes.
    private func nextLine(
        _ exchange: inout DaemonConnection,
        until deadline: Instant,
        _ preview: inout HitPreview
    ) throws(ClientError) -> [UInt8]? {
        while let dueAt = [progress.dueAt, preview.dueAt].compactMap(\.self).min(), dueAt < deadline {
            do throws(ClientError) {
                return try exchange.nextLine(until: dueAt)
            } catch {
                guard error.code == .init(.timeout) else { throw error }
                try show(&preview, &exchange)
            }
        }
        return try exchange.nextLine(until: deadline)
    }

    private func show(_ preview: inout HitPreview, _ exchange: inout DaemonConnection) throws(ClientError) {
        let text = preview.text(at: .now)
        if !text.isEmpty {
            progress.takeAway()
            exchange.print(text)
            try exchange.flush()
        }
        progress.showPending()
    }

    private func presenter() -> SearchPresenter {
        let console = context.console
        let form: SearchPresenter.Form =
            switch format {
            case .json: .json(isVisible: console.outputIsTerminal)
            case .text:
                .text(
                    HitText(
                        columns: console.columns,
                        numberMax: parameters.offset + parameters.limit,
                        style: style,
                        now: context.now()
                    )
                )
            case .lines(let format): .lines(format)
            }
        return SearchPresenter(
            form,
            timing,
            firstNumber: parameters.offset + 1,
            dates: parameters.dates,
            foundMax: parameters.foundMax
        )
    }

    /// Keeps what a person sees, in whatever format, for `open`, `show` and `again`.
    private func remember(_ presenter: SearchPresenter) {
        guard format == .text || context.console.outputIsTerminal, !parameters.isPrivate else { return }
        let search = LastSearch(
            session: context.console.session,
            words: arguments.words(of: CommandOption.ofSearch),
            firstNumber: parameters.offset + 1,
            hits: presenter.printed
        )
        LastSearchStore(context)?.save(search)
    }

    private func tell(_ report: SearchReport, _ presenter: SearchPresenter) {
        let missing = MissingField.warning(format, presenter.printed)
        for warning in report.warnings + [missing].compactMap(\.self) {
            context.console.report(FailureText.line(warning))
        }
        guard format == .text else { return }
        let page = parameters.offset / parameters.limit + 2
        let isPaged = parameters.offset % parameters.limit == 0 && !parameters.mayTakePages
        context.console.report(SummaryText.line(report, found: presenter.found, nextPage: isPaged ? page : nil))
    }
}
