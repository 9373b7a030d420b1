import JSON
import RPC
import SearchModel

/// The members of a hit or of a saved item in the daemon's answer.
struct FoundHit {
    private(set) var id = ""
    private(set) var source = ""
    private(set) var kind = ""
    private(set) var title: JSONCursor?
    private(set) var snippet: JSONCursor?
    private(set) var url: JSONCursor?
    private(set) var author: JSONCursor?
    private(set) var published: JSONCursor?
    private(set) var precision: String?
    private(set) var thumbnail: JSONCursor?
    private(set) var marks: JSONCursor?
    private(set) var extra: JSONCursor?
    private(set) var alsoFrom: [String] = []
    private(set) var tags: [String] = []
    private(set) var notes: [JSONCursor] = []
    private(set) var savedAt: String?

    init(_ hit: JSONCursor) {
        for (name, value) in hit.members {
            switch name {
            case "id": id = value.string ?? ""
            case "source": source = value.string ?? ""
            case "kind": kind = value.string ?? ""
            case "title": title = value
            case "snippet": snippet = value
            case "url": url = value
            case "author": author = value
            case "published": published = value
            case "publishedPrecision": precision = value.string
            case "thumbnail": thumbnail = value
            case "marks": marks = value
            case "extra": extra = value
            case "alsoFrom": alsoFrom = value.elements.compactMap(\.string)
            case "tags": tags = value.elements.compactMap(\.string)
            case "notes": notes = value.elements
            case "savedAt": savedAt = value.string
            default: break
            }
        }
    }

    var date: String? {
        guard let text = published?.string else { return nil }
        let length = precision == "year" ? 4 : precision == "month" ? 7 : 10
        return String(text.prefix(length))
    }
}

struct SourceOutcome {
    let source: String
    let status: SourceStatus?
    let count: Int
    let reason: String?
    let kind: String?

    init(_ report: JSONCursor) {
        source = report[.source]?.string ?? ""
        status = report[.status]?.word()
        count = report[.count]?.int ?? 0
        let error = report[.error]
        kind = report[.reason]?.string ?? error?[.data]?[.kind]?.string
        reason = error?[.message]?.string ?? report[.reason]?.string
    }

    var isUnresponsive: Bool {
        switch status {
        case .failed, .late, .skipped, .partial: true
        default: false
        }
    }
}
