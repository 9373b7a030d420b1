/// How much a line matters; the numbers are syslog's.
enum LogLevel: Int, CaseIterable, Comparable, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    static let names = allCases.map { "\($0)" }

    /// The level of a name, as a person writes it.
    init?(named name: String) {
        guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = level
    }

    static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
