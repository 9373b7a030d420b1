import Catalogue
import Engine
import JSON
import SearchModel

/// What a right source file says, in the words of its author; pure.
struct SourceSummary {
    let configured: ConfiguredSource
    /// Seconds since 1970.
    let now: Int64

    var lines: [String] {
        let source = configured.source
        var rows = [("source", "\(source.name), \(source.kind.text): \(source.title)")]
        rows.append(("pages", pages))
        rows.append(("sorts", source.sorts.map(\.rawValue).joined(separator: ", ")))
        if source.hasLookup { rows.append(("lookup", "one item by its key")) }
        for option in source.options { rows.append(("option", "\(option.name): \(option.expectation)")) }
        if let limits { rows.append(("limits", limits)) }
        for quota in source.quotas {
            rows.append(
                (
                    "quota",
                    "\(quota.name): \(quota.limit) per \(quota.period.rawValue), resets \(quota.resetsAt(after: now).text)"
                )
            )
        }
        if let attribution = source.attribution { rows.append(("shows", attribution)) }
        if let error = configured.unavailable {
            rows.append(("state", error.message))
            if let hint = error.hint { rows.append(("", hint)) }
        } else {
            rows.append(("state", "ready"))
        }
        return rows.map { name, text in
            "  " + name + String(repeating: " ", count: 8 - name.count) + SafeText.line(text)
        }
    }

    private var pages: String {
        let paging = configured.source.paging
        if paging.style == .single { return "one, of up to \(paging.size)" }
        return "of \(paging.size)" + (paging.pagesMax.map { ", at most \($0)" } ?? "")
    }

    private var limits: String? {
        let limits = configured.limits
        let parts = [
            limits.perSecond.flatMap { JSONNumber($0) }.map { "\($0.text) per second" },
            limits.perDay.map { "\($0) per day" },
            limits.concurrency.map { "\($0) at once" },
        ]
        .compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
