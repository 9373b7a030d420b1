import Hangul
import JSON
import RPC
import SearchModel

/// The command `searchctl sources`, which lists what can be searched, and checks source files.
enum SourcesCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let words = context.arguments.words
        let action = words.first == "check" || words.first == "guide" ? words.first : nil
        let own: [CommandOption] =
            action == "check" ? [.try, .configuration] : action == nil ? CommandOption.ofReport : []
        let name = ["sources", action].compactMap(\.self).joined(separator: " ")
        try context.arguments.allow([.noPager] + own, of: CommandOption.ofSources, in: name)
        if action == "check" { return try check(context) }
        guard words.count <= 1 else { throw ClientError(.usage, "“sources” does not take “\(words[1])”") }
        guard action == "guide" else { return try list(context) }
        try context.console.print(paged: SourceGuide.text, context, mayPage: !context.arguments.has(.noPager))
        return .found
    }

    private static func list(_ context: Context) throws(ClientError) -> ExitStatus {
        let name = context.arguments.words.first
        let text = SourceText(layout: context.layout, style: context.style)
        return try Connector(context).withExchange { exchange throws(ClientError) in
            let snapshot = try DaemonSnapshot(of: &exchange, [.sourceList], clock: context.clock)
            let entries = try entries(of: snapshot, name)
            var lines = name == nil ? text.overview(entries, snapshot) : text.sources(entries)
            if name?.hasPrefix("@") == true, entries.contains(where: { $0.account == "wikipedia" }) {
                let editions =
                    "Wikipedia has an edition for each language. The language of the query determines the edition."
                lines += context.layout.lines(editions).map(context.style.dim)
            }
            if entries.count == 1, name == entries[0].name { lines = text.details(entries[0], exchange.keys) }
            try context.report(json: entries.map { $0.json.text }, or: lines)
            return .found
        }
    }

    static func entries(of snapshot: DaemonSnapshot, _ name: String?) throws(ClientError) -> [SourceEntry] {
        let entries = snapshot.all
        guard let name else { return entries }
        let profiles = snapshot.list?[.profiles]?.elements ?? []
        let profile = profiles.first { $0[.name]?.string?.hasSameBytes(as: name) == true }
        let listed = [Member.sources, .off].flatMap { profile?[$0]?.elements ?? [] }
        let members = Set(listed.compactMap(\.string).map { ExactText($0) })
        let found =
            [
                entries.filter { $0.name.hasSameBytes(as: name) },
                entries.filter { $0.account.hasSameBytes(as: name) },
                entries.filter { members.contains(ExactText($0.name)) },
            ]
            .first { !$0.isEmpty }
        if let found { return found }
        guard profile == nil else { return [] }
        let names = entries.map(\.name) + entries.map(\.account) + profiles.compactMap { $0[.name]?.string }
        throw ClientError(
            .init(.unknownSource),
            "no source, account or profile is called “\(name)”",
            hint: ClientError.guess(name, among: names) ?? "“searchctl sources” lists all names."
        )
    }

    /// Checks a source file with the daemon's program, so the result is the same as in the daemon.
    private static func check(_ context: Context) throws(ClientError) -> ExitStatus {
        let words = try checkWords(context.arguments)
        guard let program = context.daemonProgram ?? InstalledProgram.find(environment: context.environment) else {
            let message = "searchd, which checks source files, is neither in the directory of searchctl nor in PATH"
            throw ClientError(.noDaemon, message, hint: "Install searchd.")
        }
        throw ProgramReplacement.run(program, ["searchd"] + words)
    }

    static func checkWords(_ arguments: Arguments) throws(ClientError) -> [String] {
        guard arguments.words.count == 2, let file = arguments.words.last, !file.isEmpty else {
            let example = "Example: searchctl sources check recipes.dishes.json5 --try soup."
            throw ClientError(.usage, "“sources check” takes one FILE", hint: example)
        }
        return ["--check-source", file] + (arguments.text(.try).map { ["--try", $0] } ?? [])
            + (arguments.text(.configuration).map { ["--config", $0] } ?? [])
    }
}

extension CommandOption {
    static let `try` = CommandOption(
        "try",
        value: .text("QUERY"),
        help: "with check, ask the source for QUERY, and show its hits and raw responses"
    )
    static let configuration = CommandOption(
        "config",
        value: .text("PATH"),
        help: "with check, read keys and allowed hosts from this configuration",
        suggestion: .files
    )
    static let ofSources = [noPager] + ofReport + [`try`, configuration]
}

struct SourceText {
    let layout: Layout
    let style: Style

    func overview(_ entries: [SourceEntry], _ snapshot: DaemonSnapshot) -> [String] {
        let services = entries.filter { !$0.isOwn }
        let profiles = (snapshot.list?[.profiles]?.elements ?? []).compactMap { $0[.name]?.string }
        let names = profiles.map(VisibleText.visible).joined(separator: ", ")
        let about =
            "A profile is a group of sources. “search -s @books” asks all sources of @books, and a search without -s "
            + "asks @default. “searchctl sources @books” lists its sources. The source “library” has your saved items, "
            + "and “seen” has the hits of your searches. To search these two, add “-s library” or “-s seen”."
        let summary =
            "\(NumberText.count(services.count, "source")), \(services.count(where: \.isEnabled)) enabled. “searchctl "
            + "sources NAME” shows a source, an account or a profile."
        return accounts(entries)
            + (profiles.isEmpty ? [] : layout.lines(names, behind: "Profiles: ") + layout.lines(about))
            + layout.lines(summary).map(style.dim)
    }

    func accounts(_ entries: [SourceEntry]) -> [String] {
        let rows = entries.grouped(by: \.account).flatMap { $0.elements.grouped(by: \.state).map(\.elements) }
        let cells = rows.enumerated().map { index, row in
            let isFirst = index == 0 || rows[index - 1][0].account != row[0].account
            let names = row.map(\.nameInAccount).joined(separator: ", ")
            return ([isFirst ? row[0].account : "", names, row[0].state], row[0])
        }
        return table(["ACCOUNT", "SOURCES", "STATE"], cells)
    }

    func sources(_ entries: [SourceEntry]) -> [String] {
        let cells = entries.map { entry in
            ([entry.name, entry.kind, entry.limits, entry.state + (entry.isPaid ? "; costs money" : "")], entry)
        }
        return table(["SOURCE", "KIND", "LIMITS", "STATE"], cells)
    }

    private func table(_ titles: [String], _ rows: [(cells: [String], entry: SourceEntry)]) -> [String] {
        let widths = layout.widths(of: [titles] + rows.map(\.cells))
        return Layout.row(titles, widths: widths).map(style.dim)
            + rows.flatMap { cells, entry in
                let lines = Layout.row(cells, widths: widths)
                return entry.isFailing ? lines.map(style.bold) : entry.isEnabled ? lines : lines.map(style.dim)
            }
    }

    func details(_ entry: SourceEntry, _ keys: KeyCommandLine) -> [String] {
        let needsKey = entry.json[.keyNeeded]?.bool
        let account = needsKey.map { "\(entry.account), needs \($0 ? "a" : "no") key" } ?? entry.account
        let options = entry.json[.options]?.members ?? []
        var rows = [("kind", entry.kind), ("account", account), ("state", entry.state)]
        if let failure = entry.failure, entry.isFailing { rows.append(("last error", failure.message)) }
        rows += [("", remedy(entry, keys)), ("limits", entry.limits)]
        rows += entry.quotas.map { ("quota", "\($0.name): \($0.text)") }
        rows.append(("attribution", VisibleText.visible(entry.json[.attribution]?.string ?? "")))
        rows += options.enumerated().map { ($0 == 0 ? "options" : "", Self.option($1.name, $1.value)) }
        if let (option, spec) = options.first {
            let value = spec[.values]?[0]?.string ?? spec[Member.min]?.int.map(String.init) ?? "VALUE"
            let words = "searchctl search -s \(entry.name) -o \(entry.name).\(option)=\(value) QUERY"
            rows.append(("", VisibleText.visible("Example: \(words)")))
        }
        let head = style.bold(entry.name) + (entry.title.isEmpty ? "" : "  ")
        return layout.lines(entry.title, behind: head)
            + layout.table(rows.filter { !$0.1.isEmpty }.map { (name: $0.0, text: $0.1) }, indent: 2)
    }

    private func remedy(_ entry: SourceEntry, _ keys: KeyCommandLine) -> String {
        switch entry.offReason {
        case .disabled: return "Set sources.\"\(entry.name)\".enabled to true in the configuration."
        case .invalid: return "“searchd --check” reports the errors in its file."
        case .notConfigured where entry.needsAddress:
            return "Set the address in the configuration, and run “searchctl reload”."
        case .notConfigured:
            let commands = KeyAccount.all(in: [entry]).first?.setCommands(in: keys)
            let there = "accounts.\(entry.account) in the configuration."
            return commands.map { "Run \($0), or configure a key under \(there)" } ?? "Set its key under \(there)"
        case nil: return ""
        }
    }

    private static func option(_ name: String, _ option: JSONCursor) -> String {
        var text = "\(name): "
        switch option[.type]?.word(OptionType.self) {
        case .choice: text += (option[.values]?.elements ?? []).compactMap(\.string).joined(separator: ", ")
        case .integer: text += "\(option[Member.min]?.int ?? .min) to \(option[Member.max]?.int ?? .max)"
        case .boolean: text += "true or false"
        case .string: text += "text" + (option[.maxBytes]?.int.map { " of up to \($0) bytes" } ?? "")
        case nil: text += option[.type]?.string ?? "?"
        }
        if let standard = option[.default]?.string { text += " (default \(standard))" }
        if let about = option[.about]?.string { text += " — \(about)" }
        return VisibleText.visible(text)
    }
}
