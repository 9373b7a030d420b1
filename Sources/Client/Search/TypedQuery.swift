package import JSON
import RPC
package import SearchModel

/// Reads a query that may have filters such as `site:example.org`, `since:2024-03` and `until:7d`.
package struct TypedQuery {
    package static let onlyFilters = "the query has only filters; add words"
    private static let names = ["site", "since", "until"]

    package let text: String
    let filters: [String: String]
    package let mistake: String?
    private let dates: DateRange?

    package init(_ typed: String, _ clock: LocalClock) {
        var (filters, mistake, dates) = ([String: String](), String?.none, DateRange?.none)
        let all = typed.split(separator: " ")
        let words = all.filter { word in
            if let wrong = Self.negation(String(word)) {
                mistake = wrong
                return false
            }
            let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, Self.names.contains(parts[0]) else { return true }
            if let wrong = Self.mistake(parts[0], parts[1], clock) {
                mistake = wrong
            } else {
                filters[parts[0]] = parts[1]
            }
            return false
        }
        do throws(ClientError) {
            let (since, until) = (filters["since"], filters["until"])
            dates = try DateRange(since: since, until: until, now: clock.now, zone: clock.zone)
        } catch {
            mistake = error.message.replacing("--since ", with: "since:").replacing("--until ", with: "until:")
            (filters["since"], filters["until"]) = (nil, nil)
        }
        (self.filters, self.dates, self.mistake) = (filters, dates, mistake.map(VisibleText.visible))
        text = words.count == all.count ? typed : words.joined(separator: " ")
    }

    static func negation(_ word: String) -> String? {
        guard let name = names.first(where: { word.hasPrefix("-\($0):") }) else { return nil }
        let kept = "“\(word.dropFirst())” keeps only matching hits"
        return "filters can't exclude hits, so -\(name): is not supported; \(kept)"
    }

    private static func mistake(_ name: String, _ value: String, _ clock: LocalClock) -> String? {
        let not = value.isEmpty ? "" : ", not “\(value)”"
        if name == "site" {
            let isHost = value.contains(".") && value.utf8.allSatisfy { ![UInt8](" /:@".utf8).contains($0) }
            return isHost ? nil : "site: takes a host such as example.org\(not)"
        }
        let isDate = (try? DateWord.span(value, of: name, at: clock.now, in: clock.zone)) != nil
        return isDate ? nil : "\(name): takes a date such as 2024-03-09, yesterday or 7d\(not)"
    }

    package var query: SearchQuery? { SearchQuery(text) }

    package var site: String? { filters["site"] }
    package var since: String? { dates?.sinceText }
    package var until: String? { dates?.untilText }

    package var filterText: String {
        filters.sorted { $0.key < $1.key }.map { "\($0):\($1)" }.joined(separator: " ")
    }

    package func finds(_ other: TypedQuery) -> Bool {
        (query?.text ?? "").hasSameBytes(as: other.query?.text ?? "") && filterText.hasSameBytes(as: other.filterText)
    }

    package func writeFilter(to writer: inout JSONWriter) {
        guard !filters.isEmpty else { return }
        writer.object(.filter) { writer in
            writer.member(.site, site)
            writer.member(.since, since)
            writer.member(.until, until)
        }
    }
}
