import EventLoop
import JSON
import RPC
import SearchModel

/// The search that a command line describes.
struct CommandLineSearch {
    private static let wire = WireBounds.timeoutMilliseconds
    static let timeoutRange = Duration.milliseconds(wire.lowerBound)...Duration.milliseconds(wire.upperBound)
    static let maxAgeRange = Duration.zero...Duration.seconds(WireBounds.maxAgeSeconds.upperBound)
    static let timeoutDefault = Duration.milliseconds(WireBounds.timeoutMillisecondsDefault)
    static let pageLimit = 100
    /// The number of lines for the messages below the hits and for the next prompt.
    static let rowsBelow = 6

    static let typingMilliseconds = 300
    private static let typingChannel = "typing"

    private static let rivals: [(CommandOption, CommandOption)] = [
        (.all, .page), (.all, .limit), (.fresh, .maxAge), (.fresh, .offline), (.typing, .all),
        (.typing, .stream),
    ]

    struct PageRequest {
        var number = 1
        var cursor: String?
        var requestsProgress = false
        var waitsForEnough = false
        var isOffline = false
        /// Whether to request the first page instead of `--page`, without a record in the history.
        var isFirst = false
    }

    let query: String
    let sources: [String]
    let kinds: [String]
    let offset: Int
    let limit: Int
    let timeout: Duration
    private let dates: DateRange?
    private let site: String?
    private let has: [String]
    private let options: [SourceOption]
    private(set) var arguments: Arguments
    /// Whether the output is a terminal.
    ///
    /// If not, the search is not recorded in the history.
    private let isOnTerminal: Bool

    /// - Throws: `usage` if the query is empty or too long, or if two options can't be combined.
    init(_ arguments: Arguments, now: Int64, zone: LocalZone, isOnTerminal: Bool, rows: Int? = nil) throws(ClientError)
    {
        (self.arguments, self.isOnTerminal) = (arguments, isOnTerminal)
        for (one, other) in Self.rivals { try arguments.refuseSeveral(of: one, other) }
        query = arguments.words.joined(separator: " ")
        guard !query.allSatisfy(\.isWhitespace) || arguments.has(.typing) else {
            let isFiltered = arguments.has(.site) || arguments.has(.since) || arguments.has(.until)
            throw ClientError(.usage, isFiltered ? TypedQuery.onlyFilters : "the query is empty")
        }
        // Decoding has replaced invalid bytes of an argument or of standard input with U+FFFD.
        guard !query.unicodeScalars.contains("\u{FFFD}") else {
            throw ClientError(
                .usage,
                "the query is not UTF-8",
                hint: "Convert it first, for example: iconv -f CP949 -t UTF-8 FILE | searchctl search -"
            )
        }
        guard query.utf8.count <= SearchQuery.bytesMax else {
            let (bytes, max) = (query.utf8.count.grouped, SearchQuery.bytesMax.grouped)
            throw ClientError(.usage, "the query has \(bytes) bytes, and at most \(max) are allowed")
        }
        sources = arguments.names(.source)
        kinds = arguments.names(.kind)
        let (since, until) = (arguments.text(.since), arguments.text(.until))
        dates =
            since == nil && until == nil ? nil : try DateRange(since: since, until: until, now: now, zone: zone)
        site = arguments.text(.site)
        has = arguments.names(.has)
        let isRecent = dates.map { !$0.endsLongAgo(at: now) } ?? false
        sort = arguments.text(.sort) ?? (isRecent ? Sort.recency.rawValue : nil)
        // A hit has two lines. If the terminal has few lines, the limit is smaller, so that the first hit stays visible.
        let fitting = rows.map { max(5, ($0 - Self.rowsBelow) / 2) } ?? .max
        // Add the limit as an option, so that “again” asks for pages of the same size.
        if fitting < WireBounds.limitDefault, !arguments.has(.limit), !arguments.has(.all) {
            self.arguments.append(.number(fitting), of: .limit)
        }
        limit = self.arguments.number(.limit) ?? (arguments.has(.all) ? Self.pageLimit : WireBounds.limitDefault)
        let page = arguments.number(.page) ?? 1
        // The list of one source in its own order has no other limit.
        let isOwnList = sources.count == 1 && sources[0].contains(".") && !sources[0].contains("*")
        let isPlain =
            isOwnList && dates == nil && site == nil && has.isEmpty && [nil, Sort.relevance.rawValue].contains(sort)
        let offsetMax = WireBounds.offset.upperBound
        guard page <= offsetMax / limit + 1 else {
            throw Self.tooDeep(page, limit, isPlain ? offsetMax : WireBounds.mergedOffsetMax)
        }
        offset = (page - 1) * limit
        timeout = arguments.duration(.timeout) ?? Self.timeoutDefault
        var options: [SourceOption] = []
        for text in arguments.texts(.option) { options.append(try SourceOption(text)) }
        self.options = options
    }

    static func tooDeep(_ page: Int, _ limit: Int, _ max: Int, code: ClientError.Code = .usage) -> ClientError {
        let message = "--page \(page) is past the first \(NumberText.grouped(max)) hits"
        let list = max == WireBounds.mergedOffsetMax ? " of a merged or sorted list" : ""
        let hint = "The last page\(list) is --page \(max / limit + 1). To get all pages, use --all."
        return ClientError(code, message, hint: hint)
    }

    var isPrivate: Bool { arguments.has(.isPrivate) }
    /// If false, the request has `history: false`.
    ///
    /// Searches with --typing or --private do not need this member, because the daemon never records them.
    private var isRecorded: Bool { isTyping || isPrivate || (isOnTerminal && !arguments.has(.noHistory)) }
    var isTyping: Bool { arguments.has(.typing) }
    var isEmpty: Bool { query.allSatisfy(\.isWhitespace) }
    var isAll: Bool { arguments.has(.all) }
    var isFiltered: Bool { site != nil || dates != nil || !has.isEmpty }
    var foundMax: Int { isAll ? .max : limit }
    var page: Int { offset / limit + 1 }
    var isByRelevance: Bool { sort == nil || sort == Sort.relevance.rawValue }
    var wantsOldNewestFirst: Bool { sort == Sort.recency.rawValue && arguments.has(.until) }

    var filterText: String {
        let options: [CommandOption] = [.site, .since, .until, .has]
        let words = options.flatMap { option in arguments.texts(option).map { "--\(option.name) \($0)" } }
        return words.joined(separator: " and ")
    }
    var isOffline: Bool { arguments.has(.offline) }
    var nextPage: Int? { isAll || isPrivate ? nil : page + 1 }
    let sort: String?

    func json(_ page: PageRequest = PageRequest()) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.query, query)
            if !sources.isEmpty { writer.member(.sources, sources) }
            if !kinds.isEmpty { writer.member(.kinds, kinds) }
            writer.member(.sort, sort)
            writer.member(.offset, offset == 0 || page.cursor != nil || page.isFirst ? nil : offset)
            writer.member(.cursor, page.cursor)
            writer.member(.limit, sendsLimit ? pageSize(page.number) : nil)
            writeFilter(to: &writer)
            writer.member(.stream, isTyping ? nil : true)
            writer.member(.channel, isTyping ? Self.typingChannel : nil)
            writer.member(.debounce, isTyping ? Self.typingMilliseconds : nil)
            writer.member(.progress, page.requestsProgress ? true : nil)
            writer.member(.raw, flag(.raw))
            writer.member(.maxAge, arguments.maxAge)
            writer.member(.offline, page.isOffline ? true : flag(.offline))
            writer.member(.timeout, arguments.duration(.timeout).map { Int($0.milliseconds) })
            writer.member(.wait, page.waitsForEnough && !isAll ? WaitMode.enough.rawValue : nil)
            writeOptions(to: &writer)
            writer.member(.history, isRecorded && !page.isFirst ? nil : false)
            writer.member(.private, flag(.isPrivate))
            writer.member(.explain, flag(.explain))
        }
    }

    /// Later pages have at least `pageLimit` hits, to save calls.
    private func pageSize(_ number: Int) -> Int {
        number == 1 ? limit : max(limit, Self.pageLimit)
    }

    private var sendsLimit: Bool { isAll || arguments.has(.limit) || offset > 0 }

    private func flag(_ option: CommandOption) -> Bool? {
        arguments.has(option) ? true : nil
    }

    private func writeFilter(to writer: inout JSONWriter) {
        guard isFiltered else { return }
        writer.object(.filter) { writer in
            writer.member(.site, site)
            writer.member(.since, dates?.sinceText)
            writer.member(.until, dates?.untilText)
            if !has.isEmpty { writer.member(.has, has) }
        }
    }

    private func writeOptions(to writer: inout JSONWriter) {
        guard !options.isEmpty else { return }
        writer.object(.options) { writer in
            for (source, options) in options.grouped(by: \.source) {
                writer.name(source)
                writer.object { writer in
                    var written: Set<String> = []
                    for option in options.reversed() where written.insert(option.key).inserted {
                        writer.member(option.key, option.value)
                    }
                }
            }
        }
    }
}
