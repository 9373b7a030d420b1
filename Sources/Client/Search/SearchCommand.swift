import EventLoop
import Hangul
import JSON
import RPC
import SearchModel

/// The command `searchctl search`, which prints hits to standard output, and all messages to standard error.
struct SearchCommand {
    static let graceSeconds = 5

    private let parameters: CommandLineSearch
    private let context: Context
    private let format: HitFormat
    private let notices: SearchNotices
    private let progress: ProgressLine
    private let mayPage: Bool
    private let showsProgress: Bool
    private var presenter: SearchPresenter
    private var lastID = 0
    private var isOffline = false
    /// The sources that were reported as failed, late or skipped.
    private var failed: [SearchReport.Source] = []
    private var troubles: SourceErrors
    private var held: [UInt8] = []

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let command = try SearchCommand(context.with(QueryInput.filled(context)))
        if command.parameters.isEmpty { return .nothingFound }
        do throws(ClientError) {
            return try Connector(command.context).withExchange { exchange throws(ClientError) in
                var attempt = command
                return try attempt.search(&exchange)
            }
        } catch {
            // “again” must not repeat a search that the daemon refused.
            if error.code != .init(.invalidParams) { command.remember(nil) }
            throw error
        }
    }

    static func tell(_ context: Context) {
        guard context.console.errorsIsTerminal, !context.arguments.has(.quiet) else { return }
        let query = context.arguments.words.joined(separator: " ")
        let command = SearchLine.text(query, context.arguments.words(of: CommandOption.ofSearch))
        context.console.report("Repeating:", command: command)
    }

    private var words: [String] { context.arguments.words(of: CommandOption.ofSearch) }

    private init(_ context: Context) throws(ClientError) {
        let console = context.console
        format = try HitFormat.chosen(context)
        parameters = try CommandLineSearch(
            context.arguments,
            now: context.now(),
            zone: context.zone,
            isOnTerminal: console.outputIsTerminal,
            rows: format == .text ? context.screenRows : nil
        )
        self.context = context
        notices = SearchNotices(context, format)
        showsProgress = notices.mayShowProgress(context.environment)
        progress = ProgressLine(console: console, isOn: showsProgress, patience: ProgressLine.patience)
        let isOnePage = !context.arguments.has(.stream) && !context.arguments.has(.all)
        mayPage = format == .text && isOnePage && context.screenRows != nil && !context.arguments.has(.noPager)
        troubles = SourceErrors(clock: context.clock)
        presenter = SearchPresenter(
            isStreamed: context.arguments.has(.stream),
            firstNumber: parameters.offset + 1,
            foundMax: parameters.foundMax,
            now: context.now(),
            write: Self.writer(format, parameters, context)
        )
    }

    private mutating func search(_ exchange: inout DaemonConnection) throws(ClientError) -> ExitStatus {
        let report: SearchReport
        do throws(ClientError) {
            report = try pages(&exchange)
            remember(presenter.printed)
            try flush(&exchange)
        } catch {
            progress.clear()
            exchange.cancel(lastID)
            try keep(&exchange, after: error)
            guard SearchReport.isFailureOfSources(error) else {
                let max = WireBounds.mergedOffsetMax
                if error.path == "params.offset", parameters.offset > max {
                    throw CommandLineSearch.tooDeep(parameters.page, parameters.limit, max, code: error.code)
                }
                throw OptionWords.translate(error, query: "")
            }
            for source in failed where source.status != .skipped {
                troubles.add(source.trouble ?? error, of: source.name)
            }
            troubles.add(error, of: error.source)
            remember(nil)
            let isWhole = troubles.causes.count == 1 || context.arguments.has(.explain)
            for line in troubles.lines(isWhole: isWhole, columns: troubleColumns) { context.console.report(line) }
            let skipped = failed.filter { $0.status == .skipped && $0.name != error.source }
            if let line = SummaryText.skipped(skipped) { notices.report(line) }
            if !isWhole, let account = troubles.accountWithoutKey {
                notices.report("Set a key with:", command: exchange.keys.text("set", account))
            }
            if isOffline, parameters.sources.isEmpty, parameters.kinds.isEmpty {
                notices.report("Nothing in the cache, your library or your earlier hits matches.")
            } else if !parameters.isOffline, [.init(.unavailable), .init(.timeout)].contains(error.code) {
                notices.report("On this machine only:", command: SearchLine.text(parameters.query, ["--offline"]))
            }
            try? tellMissingKeys(&exchange)
            return ExitStatus(of: error)
        }
        return finish(report, &exchange)
    }

    private static func writer(
        _ format: HitFormat,
        _ parameters: CommandLineSearch,
        _ context: Context
    ) -> (JSONCursor, Int) -> [UInt8] {
        let console = context.console
        switch format {
        case .json:
            let isTerminal = console.outputIsTerminal
            return { hit, _ in VisibleJSON.line(hit.text, isTerminal: isTerminal) }
        case .lines(let format):
            let zone = context.zone
            return { hit, number in Array(format.text(hit, number: number, zone: zone).utf8) }
        case .text:
            let rows = 3 * min(parameters.limit, WireBounds.limitDefault) + CommandLineSearch.rowsBelow
            let isTall = context.screenRows ?? 0 >= rows
            let text = HitText(
                linesBelow: isTall ? 2 : 1,
                columns: console.columns,
                numberMax: parameters.offset + parameters.limit,
                // A private search is not stored, so “show 1” would show a hit of the previous list.
                hasNumbers: !parameters.isPrivate,
                query: parameters.query,
                style: context.style,
                now: context.now(),
                zone: context.zone
            )
            return { hit, number in Array(text.text(FoundHit(hit), number: number).utf8) }
        }
    }

    private var waitsForEnough: Bool {
        context.console.outputIsTerminal && format != .json && !parameters.isAll && parameters.isByRelevance
            && !context.arguments.has(.strict) && !context.arguments.has(.timeout)
            && !context.arguments.has(.waitForAll)
            && (parameters.sources.isEmpty || parameters.sources.contains { $0.hasPrefix("@") })
    }

    private mutating func pages(_ exchange: inout DaemonConnection) throws(ClientError) -> SearchReport {
        var report = try firstPage(&exchange)
        var request = request
        while let next = report.next, parameters.isAll, presenter.lastHadHits || parameters.isFiltered {
            request.number += 1
            request.cursor = next
            do throws(ClientError) {
                report.add(try page(request, &exchange))
            } catch  where presenter.found > 0 && SearchReport.isFailureOfSources(error) {
                report.end(with: error)
            }
        }
        return report
    }

    private var request: CommandLineSearch.PageRequest {
        CommandLineSearch.PageRequest(requestsProgress: showsProgress, waitsForEnough: waitsForEnough)
    }

    private mutating func firstPage(_ exchange: inout DaemonConnection) throws(ClientError) -> SearchReport {
        do throws(ClientError) {
            return try page(request, &exchange)
        } catch
            where !parameters.isOffline && (error.isOffline || failed.contains { $0.error?.isOffline == true })
        {
            var offline = error
            offline.isOffline = true
            troubles.add(offline, of: nil)
            isOffline = true
            var request = request
            request.isOffline = true
            let report = try page(request, &exchange)
            if presenter.found == 0 { throw error }
            return report
        }
    }

    private mutating func page(_ page: CommandLineSearch.PageRequest, _ exchange: inout DaemonConnection)
        throws(ClientError) -> SearchReport
    {
        lastID += 1
        presenter.begin()
        try exchange.send(line: RequestLine.request(lastID, .search, params: parameters.json(page)))
        let result = try answer(&exchange)
        progress.clear()
        let report = SearchReport(result)
        print(presenter.finished(result, report), &exchange)
        for step in result[.trace]?.elements ?? [] {
            TraceText.lines(step, columns: context.console.errorColumns).forEach(context.console.report)
        }
        return report
    }

    private mutating func answer(_ exchange: inout DaemonConnection) throws(ClientError) -> JSONCursor {
        let deadline = Instant.now.advanced(by: parameters.timeout + .seconds(Self.graceSeconds))
        let request = lastID
        while let line = try progress.nextLine(of: &exchange, until: deadline) {
            switch try Message.read(line) {
            case .result(id: request, let result): return result
            case .failure(id: request, let error): throw error
            case .failure(id: nil, let error): throw error
            case .notification(let method, let params):
                guard let params, take(method, params, &exchange) else { continue }
                if method == NotificationName.progress.rawValue { progress.show(Self.progressText(params)) }
                if context.console.outputIsTerminal { try exchange.flush() }
            case .result, .failure: continue
            }
        }
        throw Connector.lost
    }

    private mutating func take(_ method: String, _ params: JSONCursor, _ exchange: inout DaemonConnection) -> Bool {
        switch NotificationName(exactly: method) {
        case .hits:
            let printed = presenter.take(params[.hits])
            if !printed.isEmpty { progress.clear() }
            print(printed, &exchange)
        case .source:
            let source = SearchReport.Source(params)
            if [.failed, .late, .skipped].contains(source.status) { failed.append(source) }
        case .progress: break
        case .libraryChanged, .cancelRequest, nil: return false
        }
        return true
    }

    static func progressText(_ params: JSONCursor) -> String? {
        guard let answered = params[.answered]?.int, let asked = params[.asked]?.int, answered < asked else {
            return nil
        }
        return "\(NumberText.grouped(answered)) of \(NumberText.count(asked, "source"))"
    }

    private mutating func keep(_ exchange: inout DaemonConnection, after error: ClientError) throws(ClientError) {
        if error.code == .outputClosed || error.code == .outputFailed {
            remember(presenter.printed)
            throw error
        }
        if error.code == .interrupted {
            context.console.takeInterrupt()
            while let line = try? exchange.nextLine(until: .now),
                case .notification(let method, let params?)? = try? Message.read(line)
            {
                _ = take(method, params, &exchange)
            }
        }
        print(presenter.interrupted(), &exchange)
        if error.code != .init(.invalidParams) { remember(presenter.printed) }
        try flush(&exchange)
        if error.code == .interrupted, format == .text, presenter.found > 0 {
            notices.report("interrupted · \(NumberText.count(presenter.found, "hit"))")
        }
    }

    private mutating func print(_ text: [UInt8], _ exchange: inout DaemonConnection) {
        if mayPage { held += text } else { exchange.print(text) }
    }

    private mutating func flush(_ exchange: inout DaemonConnection) throws(ClientError) {
        try exchange.flush()
        let text = String(decoding: held, as: UTF8.self)
        held = []
        if !text.isEmpty { try context.console.print(paged: text, context, linesBelow: 3) }
    }

    /// Stores the search for “again” and its hits for “show”.
    ///
    /// Without hits, keeps the previous list.
    private func remember(_ hits: [JSONCursor]?) {
        guard isRemembered else { return }
        let hits = hits?.isEmpty == false ? hits : nil
        let words = parameters.arguments.words(of: CommandOption.ofSearch)
        LastSearch.keep(words: words, from: parameters.offset + 1, hits, context)
    }

    /// If a program chose the format, no person reads the messages.
    private var isForProgram: Bool {
        !context.console.errorsIsTerminal && [.json, .format, .field, .typing].contains(where: context.arguments.has)
    }

    /// Searches of a launcher (--typing) must not replace the user's last search.
    private var isRemembered: Bool { !parameters.isPrivate && !context.arguments.has(.typing) }

    /// Lines in a pipe or a file are not cut.
    private var troubleColumns: Int { context.console.errorsIsTerminal ? Console.columnsDefault : .max }

    private mutating func finish(_ report: SearchReport, _ exchange: inout DaemonConnection) -> ExitStatus {
        for source in report.failed(waitedForAll: !waitsForEnough) {
            if let trouble = source.trouble { troubles.add(trouble, of: source.name) }
        }
        if let failure = report.failure { troubles.add(failure, of: failure.source) }
        let isWhole = context.arguments.has(.explain)
        for line in troubles.lines(isWhole: isWhole, columns: troubleColumns) { notices.report(line) }
        if format == .text || presenter.found == 0 && !isForProgram { summarize(report, &exchange) }
        if report.completedQuery == nil || format != .text,
            let skipped = SummaryText.skipped(report.sources, onlyForNow: presenter.found > 0)
        {
            let isBrief = report.sources.contains { $0.reason == .rateLimit } && isRemembered
            notices.report(skipped + (isBrief ? "; “searchctl again” asks again" : ""))
        }
        if parameters.isAll || presenter.found == 0, let line = SummaryText.unreachable(report) { notices.report(line) }
        try? tellMissingKeys(&exchange)
        if context.arguments.has(.strict), !troubles.isEmpty || !report.leftOut.isEmpty { return .sourceFailed }
        return presenter.found > 0 ? .found : .nothingFound
    }

    private func summarize(_ report: SearchReport, _ exchange: inout DaemonConnection) {
        // If this page is past the end, get the total from the first page, which is usually cached.
        let first = CommandLineSearch.PageRequest(isOffline: true, isFirst: true)
        let isPastEnd = presenter.found == 0 && parameters.page > 1
        let found = isPastEnd ? try? exchange.ask(.search, params: parameters.json(first)) : nil
        let summary = SummaryText(
            report: report,
            found: presenter.found,
            filter: parameters.filterText,
            isCut: parameters.isFiltered && report.hasMore && !presenter.isFull,
            mayBeOlder: presenter.found == 0 && parameters.wantsOldNewestFirst,
            isOffline: parameters.isOffline || isOffline,
            isPrivate: parameters.isPrivate,
            // If the page is not full, some sources did not answer. The next page would lack their hits.
            nextPage: report.hasMore && presenter.isFull ? parameters.nextPage : nil,
            page: parameters.page,
            before: parameters.offset,
            total: found.flatMap { SearchReport($0).total } ?? report.total
        )
        for line in summary.lines(columns: context.console.errorColumns) { notices.report(line) }
        if let completed = SummaryText.completed(report, typed: parameters.query) { notices.report(completed) }
        for query in DidYouMeanText.plausible(meant(report, &exchange), for: parameters.query) {
            notices.report("Did you mean:", command: SearchLine.text(query, words))
        }
        if waitsForEnough, let late = SummaryText.late(report) { notices.report(late) }
    }

    private func meant(_ report: SearchReport, _ exchange: inout DaemonConnection) -> [String] {
        if presenter.found == 0, report.looked ?? 0 > 0 { return [] }
        if presenter.found == 0, !report.didYouMean.isEmpty { return report.didYouMean }
        if let meant = WrongLayout.correctedIfCertain(parameters.query) { return [meant] }
        guard !parameters.isPrivate, DidYouMeanText.isInitials(parameters.query) else { return [] }
        let params = SuggestCommand.params(parameters.query, limit: DidYouMeanText.commandsMax)
        let result = try? exchange.ask(.suggest, params: params, within: Self.graceSeconds)
        return (result?[.suggestions]?.elements ?? []).compactMap { $0[.text]?.string }
    }

    private func tellMissingKeys(_ exchange: inout DaemonConnection) throws(ClientError) {
        let isTerminal = context.console.errorsIsTerminal
        let isStandard = parameters.sources.allSatisfy { $0 == MissingKeys.standard } && parameters.kinds.isEmpty
        let named = parameters.sources.filter { $0.hasPrefix("@") && $0 != MissingKeys.standard && !isForProgram }
        let profiles = named + (isStandard && isTerminal ? [MissingKeys.standard] : [])
        // On a terminal, the reminder appears once a day. Elsewhere, it appears with each search.
        let due = profiles.filter { !isTerminal || KeyReminder($0, context)?.isDue == true }
        guard notices.isOn, !due.isEmpty else { return }
        let missing = MissingKeys(list: try exchange.ask(.sourceList, within: Self.graceSeconds), keys: exchange.keys)
        for profile in due {
            if isTerminal { KeyReminder(profile, context)?.keep() }
            if let line = missing.line(of: profile, columns: context.console.errorColumns) { notices.report(line) }
        }
    }
}
