import JSON
import RPC
import SearchModel

/// Prints saved items, and stores the list so that `show` accepts the numbers of the items.
struct LibraryListCommand {
    /// The member that --group-by adds to each item.
    static let group = "group"

    private let context: Context
    private let call: LibraryCall
    private let offset: Int

    init(_ context: Context) throws(ClientError) {
        self.context = context
        call = try LibraryCall(context)
        try context.arguments.refuseSeveral(of: .page, .groupBy)
        let limit = context.arguments.number(.limit) ?? WireBounds.libraryLimitDefault
        let (offset, isTooDeep) = ((context.arguments.number(.page) ?? 1) - 1).multipliedReportingOverflow(by: limit)
        guard !isTooDeep, WireBounds.libraryOffset.contains(offset) else {
            let page = context.arguments.number(.page) ?? 1
            throw ClientError(.usage, "--page \(page) is too large", hint: "Use a smaller number.")
        }
        self.offset = offset
    }

    func run() throws(ClientError) -> ExitStatus {
        let result = try call.ask(.libraryList, params)
        let groups = result[.groups]?.elements
        let items =
            groups.map { $0.flatMap { group in (group[.items]?.elements ?? []).map { named($0, group) } } }
            ?? result[.items]?.elements ?? []
        switch call.format {
        case .json, .lines: try call.print(items) { _ in "" }
        case .text: try printText(items, groups)
        }
        // `words: nil` keeps the last search for “again”.
        if !items.isEmpty {
            LastSearch.keep(words: nil, from: offset + 1, items, context)
        }
        summarize(result, items.count, isGrouped: groups != nil)
        return items.isEmpty ? .nothingFound : .found
    }

    private func named(_ item: JSONCursor, _ group: JSONCursor) -> JSONCursor {
        item.adding([JSONMember(Self.group, .string(group[.name]?.string ?? ""))])
    }

    private var params: [UInt8] {
        JSONWriter.bytes { writer in
            LibraryFilter.write(context.arguments, to: &writer)
            writer.member(.sort, context.arguments.text(.librarySort))
            writer.member(.groupBy, context.arguments.text(.groupBy))
            if offset > 0 { writer.member(.offset, offset) }
            writer.member(.limit, context.arguments.number(.limit))
        }
    }

    private func printText(_ items: [JSONCursor], _ groups: [JSONCursor]?) throws(ClientError) {
        let list = LibraryList(
            query: context.arguments.text(.libraryQuery) ?? "",
            numberMax: offset + items.count,
            style: context.style,
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
        if !text.isEmpty { try context.console.print(paged: text, context, mayPage: !context.arguments.has(.noPager)) }
    }

    private func summarize(_ result: JSONCursor, _ shown: Int, isGrouped: Bool) {
        let total = result[.total]?.int ?? 0
        guard context.console.errorsIsTerminal || shown == 0 else { return }
        guard total > 0 else {
            return context.console.report(LibraryFilter.nothing(context.arguments))
        }
        let count = NumberText.count(total, "saved item")
        let limit = context.arguments.number(.limit) ?? WireBounds.libraryLimitDefault
        guard shown > 0 else {
            return context.console.report("nothing on page \(offset / limit + 1): \(count) in all")
        }
        guard offset + shown < total else { return context.console.report(count) }
        let shownText = "\(count), \(NumberText.grouped(shown)) shown"
        guard !isGrouped else { return context.console.report(shownText) }
        context.console.report(
            shown < limit
                ? "\(shownText) (the answer would be too large) · use a smaller -n"
                : "\(shownText) · more: searchctl library --page \(offset / limit + 2) with the same options"
        )
    }
}

/// Sends the options that select saved items to the daemon.
enum LibraryFilter {
    static func write(_ arguments: Arguments, to writer: inout JSONWriter) {
        writer.member(.query, arguments.text(.libraryQuery))
        for (member, option) in [(Member.kinds, CommandOption.kind), (.sources, .librarySource)] {
            let names = arguments.names(option)
            if !names.isEmpty { writer.member(member, names) }
        }
        let tags = arguments.tags(.libraryTag)
        if !tags.isEmpty { writer.member(.tags, tags) }
    }

    static func nothing(_ arguments: Arguments) -> String {
        CommandOption.ofFilter.contains(where: arguments.has)
            ? "No saved item matches." : "Nothing is saved yet; “searchctl save 1” saves a hit."
    }
}

struct LibraryList {
    private let hits: HitText
    private let style: Style

    init(query: String, numberMax: Int, style: Style, _ context: Context) {
        self.style = style
        hits = HitText(
            linesBelow: 1,
            columns: context.console.columns,
            numberMax: numberMax,
            query: query,
            style: style,
            now: context.now(),
            zone: context.zone
        )
    }

    func heading(_ group: JSONCursor) -> String {
        let name = group[.name]?.string ?? ""
        let count = NumberText.grouped(group[.count]?.int ?? 0)
        return style.bold(VisibleText.visible(name.isEmpty ? "(none)" : name)) + " " + style.dim(count) + "\n"
    }

    func text(_ item: JSONCursor, number: Int) -> String {
        let saved = SavedText(item)
        var text = hits.text(FoundHit(item), number: number)
        let facts = [style.yellow(saved.stars), saved.tags, style.dim(savedAge(item))].filter { !$0.isEmpty }
        text += lines(facts.joined(separator: " · "))
        let notes = saved.notes.map(\.line).filter { !$0.isEmpty }
        if !notes.isEmpty { text += cut(notes.joined(separator: " · "), { $0 }) }
        if let change = saved.lastChange {
            let age = age(change.at).map { " · " + $0 } ?? ""
            text += cut(change.text + age, style.green)
        }
        return text
    }

    private func lines(_ text: String) -> String {
        Layout(columns: hits.textColumns).lines(text).filter { !$0.isEmpty }.map { hits.margin + $0 + "\n" }.joined()
    }

    private func cut(_ text: String, _ styled: (String) -> String) -> String {
        hits.margin + styled(text.cut(columns: hits.textColumns)) + "\n"
    }

    private func savedAge(_ item: JSONCursor) -> String {
        item[.savedAt]?.string.flatMap(age).map { "saved \($0)" } ?? ""
    }

    private func age(_ time: String) -> String? {
        PublishedTime(time, precision: nil)?.age(at: hits.now, in: hits.zone)
    }
}
