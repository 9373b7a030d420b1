import CPlatform
import Client
import JSON
import RPC
import SearchModel

/// A search with the parameters of the search page or of the SearXNG API.
struct SearchRequest: Hashable, Sendable {
    static let pageSize = 20
    private static let secondsPerDay: Int64 = 86_400
    private static let timeRanges: [String: Int64] = ["day": 1, "week": 7, "month": 31, "year": 366]

    let query: String
    var selection = Directory.Selection()
    var sort: Sort?
    var page = 1
    /// If set, the search continues after an earlier answer and ignores `page`.
    var cursor: String?
    var since: String?
    var until: String?
    var site: String?
    var milliseconds: Int?
    let caller: Caller

    init(_ parameters: WebParameters, caller: Caller) throws(ClientError) {
        guard let query = parameters["q"] else { throw Self.mistake("the parameter q is missing", "params.q") }
        let now = platform_realtime_ns() / 1_000_000_000
        let typed = TypedQuery(query, LocalClock(now: now))
        if let text = typed.mistake { throw Self.mistake(text, "params.filter.\(text.prefix { $0 != ":" })") }
        guard !typed.text.isEmpty || typed.site == nil && typed.since == nil && typed.until == nil else {
            throw Self.mistake("The query has only filters. Add words.", "params.filter")
        }
        self.query = typed.text
        self.caller = caller
        if let text = parameters["pageno"] {
            guard let page = Int(text), page > 0 else {
                throw Self.mistake("pageno must be a number above 0", "params.pageno")
            }
            self.page = page
        }
        cursor = parameters["cursor"]
        sort = parameters["sort"].flatMap(Sort.init(rawValue:))
        let range = parameters["time_range"].flatMap { $0 == "None" ? nil : $0 }
        let days = range.flatMap { Self.timeRanges[$0] }
        guard range == nil || days != nil else {
            throw Self.mistake("time_range must be day, week, month or year", "params.time_range")
        }
        // Round to days, so that equal requests on one day have equal filters.
        let firstDay = days.map { RFC3339.text((now / Self.secondsPerDay - $0) * Self.secondsPerDay).prefix(10) }
        since = typed.since ?? parameters["since"] ?? firstDay.map(String.init)
        until = typed.until ?? parameters["until"]
        site = typed.site ?? parameters["site"]
        if let text = parameters["timeout_limit"] {
            guard let seconds = Double(text), seconds > 0 else {
                throw Self.mistake("timeout_limit must be a number of seconds above 0", "params.timeout_limit")
            }
            let bounds = WireBounds.timeoutMilliseconds
            milliseconds = Int(min(max(seconds * 1000, Double(bounds.lowerBound)), Double(bounds.upperBound)))
        }
    }

    static func mistake(_ message: String, _ path: String) -> ClientError {
        var error = ClientError(.init(.invalidParams), message)
        error.path = path
        return error
    }

    var offset: Int { cursor == nil ? (page - 1).multipliedReportingOverflow(by: Self.pageSize).partialValue : 0 }

    var isReachable: Bool { page <= WireBounds.mergedOffsetMax / Self.pageSize }

    var patience: Duration {
        .milliseconds((milliseconds ?? WireBounds.timeoutMillisecondsDefault) + 5000)
    }

    enum Manner {
        case whole
        case enough
        /// The daemon sends hits as sources respond. A search cancels the previous search on its channel.
        case stream(channel: String?)
    }

    func params(_ manner: Manner) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.query, query)
            if !selection.sources.isEmpty || caller == .anyone && selection.kinds.isEmpty {
                writer.member(.sources, selection.sources)
            }
            if !selection.kinds.isEmpty { writer.member(.kinds, selection.kinds) }
            writer.member(.sort, sort?.rawValue)
            if let cursor {
                writer.member(.cursor, cursor)
            } else if offset > 0 {
                writer.member(.offset, offset)
            }
            writer.member(.limit, Self.pageSize)
            writer.member(.timeout, milliseconds)
            var isTyping = false
            switch manner {
            case .whole: break
            case .enough: writer.member(.wait, WaitMode.enough.rawValue)
            case .stream(let channel):
                writer.member(.stream, true)
                writer.member(.channel, channel)
                isTyping = channel != nil
            }
            // Searches without the token are not recorded in the user's history.
            writer.member(.history, caller == .user && !isTyping)
            if since != nil || until != nil || site != nil {
                writer.object(.filter) { writer in
                    writer.member(.site, site)
                    writer.member(.since, since)
                    writer.member(.until, until)
                }
            }
        }
    }
}
