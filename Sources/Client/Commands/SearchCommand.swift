import EventLoop
import JSON
import SearchModel

/// `searchctl search`: asks, prints what comes, tells on standard error how it went.
struct SearchCommand {
    /// How much longer than the daemon's own time-out an answer may take before the daemon counts as hung.
    static let graceSeconds = 5
    private static let request = 1

    private let parameters: SearchParameters
    private let arguments: Arguments
    private let console: Console
    private let format: OutputFormat
    private let style: Style
    private let progress: ProgressLine

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let command = try SearchCommand(arguments, context)
        return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            try command.search(&exchange)
        }
    }

    private init(_ arguments: Arguments, _ context: Context) throws(ClientError) {
        parameters = try SearchParameters(arguments)
        format = try OutputFormat.chosen(arguments, outputIsTerminal: context.console.outputIsTerminal)
        self.arguments = arguments
        console = context.console
        style = Style(arguments, environment: context.environment, isTerminal: console.outputIsTerminal)
        let canTakeBack = context.environment["TERM"].map { $0 != "dumb" } ?? false
        progress = ProgressLine(console: console, isOn: console.errorsIsTerminal && canTakeBack)
    }

    private func search(_ exchange: inout Exchange) throws(ClientError) -> ExitStatus {
        var presenter = presenter()
        do throws(ClientError) {
            try exchange.send(line: RequestLine.request(Self.request, "search", params: parameters.json))
            let result = try answer(&exchange, &presenter)
            progress.clear()
            let report = SearchReport(result)
            exchange.print(presenter.finished(result, report))
            try exchange.flush()
            tell(report, result, found: presenter.found)
            return report.status(found: presenter.found, isStrict: arguments.has(.strict))
        } catch {
            progress.clear()
            exchange.cancel(Self.request)
            if error.code == .outputClosed { throw error }
            // What has come is worth having, whatever ended the rest.
            if error.code != .interrupted { try exchange.flush() }
            throw error
        }
    }

    /// Prints hits until the final answer comes, which it returns.
    private func answer(
        _ exchange: inout Exchange,
        _ presenter: inout SearchPresenter
    ) throws(ClientError) -> JSONCursor {
        let deadline = Instant.now.advanced(by: parameters.timeout + .seconds(Self.graceSeconds))
        while let line = try exchange.nextLine(until: deadline) {
            switch try Message.read(line) {
            case .result(id: Self.request, let result): return result
            case .failure(id: Self.request, let error), .failure(id: nil, let error): throw error
            case .notification(method: "search/hits", let params):
                let printed = presenter.received(hits: params)
                if !printed.isEmpty { progress.clear() }
                exchange.print(printed)
            case .notification(method: "search/source", let params):
                if let text = params.flatMap(ProgressText.line) { progress.show(text) } else { progress.clear() }
            // Nothing else was asked for; a newer daemon may tell more than we know.
            case .result, .failure, .notification: continue
            }
        }
        throw Connector.lost
    }

    private func presenter() -> SearchPresenter {
        let firstNumber = parameters.offset + 1
        let form: SearchPresenter.Form
        let comesAsWanted: Bool
        switch format {
        case .json:
            form = .json(isVisible: console.outputIsTerminal)
            // Of several sources more hits come than were asked for: only the final answer says which belong to it.
            comesAsWanted = parameters.arrivesInOrder
        case .text:
            let numberMax = parameters.offset + parameters.limit
            form = .text(HitText(columns: console.columns, numberMax: numberMax, style: style))
            comesAsWanted = parameters.arrivesInOrder
        }
        return SearchPresenter(form, comesAsWanted ? .atOnce : .merged, firstNumber: firstNumber)
    }

    private func tell(_ report: SearchReport, _ result: JSONCursor, found: Int) {
        result["trace"]?.forEachElement { console.report(TraceText.line($0)) }
        for warning in report.warnings { console.report(FailureText.line(warning)) }
        guard format == .text else { return }
        let page = parameters.offset / parameters.limit + 2
        let nextPage = parameters.offset % parameters.limit == 0 ? page : nil
        console.report(SummaryText.line(report, found: found, nextPage: nextPage))
    }
}
