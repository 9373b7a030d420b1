/// How many calls a source allows in a period of its own calendar.
package struct Quota: Equatable, Sendable {
    package enum Period: String, CaseIterable, Sendable {
        case minute
        case hour
        case day
        case month
    }

    package enum Scope: String, CaseIterable, Sendable {
        /// All sources of the account count together.
        case account
        /// Each source counts for itself.
        case source
    }

    package let name: String
    package let limit: Int
    package let period: Period
    package let scope: Scope
    /// When in the day a day or a month begins, in minutes after midnight.
    package let resetMinute: Int
    package let zone: ResetZone

    package init(name: String, limit: Int, period: Period, scope: Scope, resetMinute: Int = 0, zone: ResetZone) {
        self.name = name
        self.limit = limit
        self.period = period
        self.scope = scope
        self.resetMinute = resetMinute
        self.zone = zone
    }
}
