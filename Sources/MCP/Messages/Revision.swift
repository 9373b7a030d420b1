/// A revision of the Model Context Protocol that is spoken here, the oldest first.
package enum Revision: String, CaseIterable, Comparable, Sendable {
    case november2024 = "2024-11-05"
    case march2025 = "2025-03-26"
    case june2025 = "2025-06-18"
    case november2025 = "2025-11-25"
    case july2026 = "2026-07-28"

    /// What a client is offered that asks for a session of a revision that is not spoken here.
    static let latestOfSessions = Revision.november2025

    /// Whether every request says all of itself; the older ones begin a session with `initialize`.
    package var isStateless: Bool { self == .july2026 }

    /// Whether tools have annotations, and arguments can be completed.
    var hasAnnotations: Bool { self >= .march2025 }

    /// Whether tools have titles and output schemas, and results a structured content.
    var hasStructuredContent: Bool { self >= .june2025 }

    package static func < (left: Revision, right: Revision) -> Bool {
        left.rawValue < right.rawValue
    }
}
