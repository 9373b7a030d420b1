import CPlatform
import Client
import JSON
import RPC
import SearchModel

/// A search, as the parameters of the SearXNG API and of the page name it.
struct SearchRequest: Hashable, Sendable {
    /// Hits of one page.
    static let pageSize = 20
    private static let secondsPerDay: Int64 = 86_400
    private static let timeRanges: [String: Int64] = ["day": 1, "week": 7, "month": 31, "year": 366]

    let query: String
    var selection = Directory.Selection()
    var sort: Sort?
    /// The page, from 1.
    var page = 1
    /// Continues after an earlier answer, instead of the page.
    var cursor: String?
    var since: String?
    var until: String?
    var site: String?
    var milliseconds: Int?
    let caller: Caller

    struct Mistake: Error {
        let message: String
    }

    init(_ parameters: WebParameters, caller: Caller) throws(Mistake) {
        guard let query = parameters["q"] else { throw Mistake(message: "the parameter q is missing") }
        self.query = query
        self.caller = caller
        if let text = parameters["pageno"] {
            guard let page = Int(text), page > 0 else { throw Mistake(message: "pageno must be a number from 1") }
            self.page = page
        }
        cursor = parameters["cursor"]
        sort = parameters["sort"].flatMap(Sort.init(rawValue:))
        let days = parameters["time_range"].flatMap { Self.timeRanges[$0] }
        // By whole days, so that equal requests have equal filters.
        let today = platform_realtime_ns() / 1_000_000_000 / Self.secondsPerDay
        since =
            parameters["since"] ?? days.map { RFC3339.text((today - $0) * Self.secondsPerDay).prefix(10).description }
        until = parameters["until"]
        site = parameters["site"]
        if let text = parameters["timeout_limit"] {
            guard let seconds = Double(text), seconds > 0 else {
                throw Mistake(message: "timeout_limit must be seconds")
            }
            let bounds = WireBounds.timeoutMilliseconds
            milliseconds = Int(min(max(seconds * 1000, Double(bounds.lowerBound)), Double(bounds.upperBound)))
        }
    }

    /// The position of the first hit.
    var offset: Int { cursor == nil ? (page - 1).multipliedReportingOverflow(by: Self.pageSize).partialValue : 0 }

    /// Whether the daemon's merged list reaches this page.
    var isReachable: Bool { page <= WireBounds.mergedOffsetMax / Self.pageSize }

    /// The longest wait for the daemon.
    var patience: Duration {
        .milliseconds((milliseconds ?? WireBounds.timeoutMillisecondsDefault) + 5000)
    }

    /// How the daemon is asked.
    enum Manner {
        /// Answers when every source has answered.
        case whole
        /// Answers when the window is full.
        case enough
        /// Sends hits as sources respond; with a channel while the user types.
        case stream(channel: String?)
    }

    /// The parameters of `search`.
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
            // Without the token nothing is the user's own.
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
