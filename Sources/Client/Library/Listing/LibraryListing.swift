import JSON
import RPC
import SearchModel

/// One list of what is saved: asked for, printed, and kept as the list that numbers mean from then on.
struct LibraryListing {
    private let arguments: Arguments
    private let context: Context
    private let call: LibraryCall
    private let offset: Int

    /// - Throws: `usage` for what contradicts itself, or lies too deep.
    init(_ arguments: Arguments, _ context: Context) throws(ClientError) {
        self.arguments = arguments
        self.context = context
        call = try LibraryCall(arguments, context)
        if arguments.has(.libraryPage), arguments.has(.groupBy) {
            throw ClientError(.usage, "--page and --group-by exclude each other")
        }
        let limit = arguments.number(.libraryLimit) ?? WireBounds.libraryLimitDefault
        let (offset, isTooDeep) = ((arguments.number(.libraryPage) ?? 1) - 1).multipliedReportingOverflow(by: limit)
        guard !isTooDeep, WireBounds.libraryOffset.contains(offset) else {
            throw ClientError(.usage, "no library has so many pages", hint: "Take a lower --page.")
        }
        self.offset = offset
    }

    func run() throws(ClientError) -> ExitStatus {
        let result = try call.ask(.libraryList, params)
        let groups = result[.groups]?.elements
        let items = groups.map { $0.flatMap { $0[.items]?.elements ?? [] } } ?? result[.items]?.elements ?? []
        switch call.format {
        case .json, .lines: try call.print(items) { _ in "" }
        case .text: try printText(items, groups)
        }
        if !items.isEmpty { keep(items) }
        summarize(result, items.count, isGrouped: groups != nil)
        if context.console.errorsIsTerminal { tellTroubles() }
        try MissingField.tell(call.format, items, report: context.console.report)
        return items.isEmpty ? .nothingFound : .found
    }

    private var params: [UInt8] {
        JSONWriter.bytes { writer in
            LibraryFilter.write(arguments, to: &writer)
            writer.member(.sort, arguments.text(.librarySort))
            writer.member(.groupBy, arguments.text(.groupBy))
            if offset > 0 { writer.member(.offset, offset) }
            writer.member(.limit, arguments.number(.libraryLimit))
        }
    }

    private func printText(_ items: [JSONCursor], _ groups: [JSONCursor]?) throws(ClientError) {
        let console = context.console
        let list = LibraryList(
            query: arguments.text(.libraryQuery) ?? "",
            numberMax: offset + items.count,
            style: Style(arguments, environment: context.environment, isTerminal: console.outputIsTerminal),
            context
        )
        var text = ""
        var number = offset
        for group in groups ?? [] {
            text += (text.isEmpty ? "" : "\n") + list.heading(group)
            for item in group[.items]?.elements ?? [] {
                number += 1
                text += list.text(item, number: number)
            }
        }
        if groups == nil {
            text = items.enumerated().map { list.text($1, number: offset + $0 + 1) }.joined()
        }
        if !text.isEmpty { try Printer(console).print(paged: text, context, mayPage: !arguments.has(.noPager)) }
    }

    /// Asks whether another kind was meant than one that no source has; nil when none is near.
    private var kindQuestion: String? {
        let given = LibraryFilter.words(arguments, .libraryKind)
        guard !given.isEmpty, let sources = try? call.ask(.sourceList)[.sources]?.elements else { return nil }
        let known = Set(sources.compactMap { $0[.kind]?.string })
        return given.first { !known.contains($0) }.flatMap { ClientError.guess($0, among: known.sorted()) }
    }

    /// What is missing may be in a file that was set aside.
    private func tellTroubles() {
        // The list is worth having without it.
        guard let stats = try? call.ask(.stats) else { return }
        for trouble in LibraryTrouble.all(in: stats, clock: context.clock) {
            let text = trouble.text.prefix(1).uppercased() + trouble.text.dropFirst()
            context.console.report("\(text). \(trouble.remedy)")
        }
    }

    /// “show 3”, “note 3” and the like mean this list; “again” still repeats the search before it.
    private func keep(_ items: [JSONCursor]) {
        let before = LastSearchStore.all(context).here
        let list = LastSearch(
            session: context.console.session,
            words: before?.words ?? [],
            firstNumber: offset + 1,
            hits: items
        )
        LastSearchStore(context)?.save(offset > 0 ? before.map(list.continuing) ?? list : list)
    }

    private func summarize(_ result: JSONCursor, _ shown: Int, isGrouped: Bool) {
        let total = result[.total]?.int ?? 0
        guard context.console.errorsIsTerminal || total == 0 else { return }
        guard total > 0 else {
            return context.console.report(LibraryFilter.nothing(arguments) + (kindQuestion.map { " " + $0 } ?? ""))
        }
        let count = FigureText.count(total, "saved item")
        let limit = arguments.number(.libraryLimit) ?? WireBounds.libraryLimitDefault
        guard !isGrouped, offset + shown < total else { return context.console.report(count) }
        // The daemon ends a list early when its items are large.
        let more = shown < limit ? "fewer at a time: -n" : "more: --page \(offset / limit + 2)"
        context.console.report("\(count), \(FigureText.grouped(shown)) of them here · \(more)")
    }
}

/// Which items are meant, as options say it.
enum LibraryFilter {
    static func write(_ arguments: Arguments, to writer: inout JSONWriter) {
        writer.member(.query, arguments.text(.libraryQuery))
        let lists: [(Member, CommandOption)] = [(.kinds, .libraryKind), (.sources, .librarySource)]
        for (member, option) in lists {
            let words = words(arguments, option)
            if !words.isEmpty { writer.member(member, words) }
        }
        let tags = arguments.tags(.libraryTag)
        if !tags.isEmpty { writer.member(.tags, tags) }
    }

    /// The words of an option, of which one text may have several.
    static func words(_ arguments: Arguments, _ option: CommandOption) -> [String] {
        arguments.texts(option).flatMap { $0.split(separator: ",").map(String.init) }
    }

    /// The message when no item matches.
    static func nothing(_ arguments: Arguments) -> String {
        CommandOption.ofFilter.contains(where: arguments.has)
            ? "Nothing like that is saved." : "Nothing is saved yet; “searchctl save 1” saves a hit."
    }
}

extension CommandOption {
    static let ofFilter = [libraryQuery, libraryKind, librarySource, libraryTag]
}
