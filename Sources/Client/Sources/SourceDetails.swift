import JSON
import RPC
import SearchModel

/// One source of `source/list` in full; pure.
struct SourceDetails {
    private let source: JSONCursor
    private let entry: SourceEntry
    private let layout: Layout
    private let style: Style

    private let keys: KeyCommandLine

    /// - Parameters:
    ///   - source: The entry.
    ///   - clock: When and where it is read.
    ///   - columns: How wide a line may be.
    ///   - style: Whether there are colours.
    ///   - keys: How a key is set for the daemon that has told it.
    init(
        _ source: JSONCursor,
        clock: LocalClock,
        columns: Int,
        style: Style,
        keys: KeyCommandLine = KeyCommandLine(isSystem: false)
    ) {
        self.keys = keys
        self.source = source
        entry = SourceEntry(source, clock: clock)
        layout = Layout(columns: columns)
        self.style = style
    }

    var lines: [String] {
        var rows = [("kind", entry.kind), ("account", account), ("state", entry.state)]
        if let failure = entry.failure, entry.isFailing { rows.append(("last error", failure.message)) }
        if let remedy { rows.append(("", VisibleText.visible(remedy))) }
        rows.append(("limits", entry.limits))
        for quota in entry.quotas { rows.append(("quota", "\(quota.name): \(quota.text)")) }
        rows.append(("attribution", entry.attribution))
        for (index, option) in (source[.options]?.members ?? []).enumerated() {
            rows.append((index == 0 ? "options" : "", VisibleText.visible(Self.text(option.name, option.value))))
        }
        if let example { rows.append(("", VisibleText.visible(example))) }
        return layout.lines(entry.title, behind: style.bold(entry.name) + (entry.title.isEmpty ? "" : "  "))
            + layout.table(rows.filter { !$0.1.isEmpty }.map { (name: $0.0, text: $0.1) }, indent: 2)
    }

    private var account: String {
        switch source[.keyNeeded]?.bool {
        case true: "\(entry.account), needs a key"
        case false: "\(entry.account), needs no key"
        case nil: entry.account
        }
    }

    /// What to do about a source that is off.
    private var remedy: String? {
        switch source[.reason]?.word(DisabledReason.self) {
        case .notConfigured: keyRemedy
        case .disabled: "Set sources.\"\(source[.source]?.string ?? "")\".enabled to true in the configuration."
        case .invalid: "“searchd --check” reports what is wrong with its file."
        case nil: nil
        }
    }

    private var keyRemedy: String {
        let account = source[.account]?.string ?? ""
        // An account without listed secrets has none that could be stored.
        guard let known = KeyAccount.all(in: [source]).first else {
            return "Set its key under accounts.\(account) in the configuration."
        }
        return "Run \(known.setCommands(in: keys)), or configure one under accounts.\(account)."
    }

    private static func text(_ name: String, _ option: JSONCursor) -> String {
        var text = "\(name): "
        switch option[.type]?.word(OptionType.self) {
        case .choice: text += (option[.values]?.elements ?? []).compactMap(\.string).joined(separator: ", ")
        case .integer: text += "\(option[.min]?.int ?? .min) to \(option[.max]?.int ?? .max)"
        case .boolean: text += "true or false"
        case .string: text += "text" + (option[.maxBytes]?.int.map { " of up to \($0) bytes" } ?? "")
        case nil: text += option[.type]?.string ?? "?"
        }
        if let standard = option[.default]?.string { text += " (default \(standard))" }
        if let about = option[.about]?.string { text += " — \(about)" }
        return text
    }

    /// How the first option is written on the command line.
    private var example: String? {
        guard let name = source[.source]?.string, let (option, spec) = source[.options]?.members.first else {
            return nil
        }
        let value = spec[.values]?[0]?.string ?? spec[.min]?.int.map(String.init) ?? "VALUE"
        return "Example: searchctl search -s \(name) -o \(name).\(option)=\(value) QUERY"
    }
}

/// What is left of one quota; pure, and safe on a terminal.
struct QuotaText {
    let name: String
    /// `600 of 1,000 left; resets in 8 h`.
    let text: String
    let limit: Int
    let left: Int
    /// Seconds since 1970; nil when it is not known.
    let resetsAt: Int64?

    init(_ quota: JSONCursor, clock: LocalClock) {
        name = VisibleText.visible(quota[.name]?.string ?? "?")
        limit = quota[.limit]?.int ?? 0
        left = quota[.left]?.int ?? limit
        resetsAt = quota[.resetsAt]?.string.flatMap(RFC3339.epochSeconds)
        var text = quota[.limit] == nil ? name : FigureText.grouped(limit)
        if quota[.left]?.int != nil { text = "\(FigureText.grouped(left)) of \(text) left" }
        if let resetsAt {
            text += "; resets in \(clock.distance(to: resetsAt))"
        }
        if left > 0, let end = quota[.forecast]?.string.flatMap(RFC3339.epochSeconds) {
            text += "; used up in \(clock.distance(to: end)) at this pace"
        }
        self.text = text
        isUsedUp = (quota[.left]?.int ?? 1) <= 0
    }

    let isUsedUp: Bool
}
