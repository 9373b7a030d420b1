/// One line of the log, independent of its format.
struct LogRecord: Equatable, Sendable {
    struct Field: Equatable, Sendable {
        let name: String
        let value: String

        init(_ name: String, _ value: some CustomStringConvertible) {
            self.name = name
            self.value = value.description
        }
    }

    let level: LogLevel
    var message: String
    var fields: [Field]

    init(_ level: LogLevel, _ message: String, _ fields: [Field] = []) {
        self.level = level
        self.message = message
        self.fields = fields
    }
}

/// The importance of a line; the numbers are those of syslog.
enum LogLevel: Int, CaseIterable, Comparable, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    static let names = allCases.map { "\($0)" }

    init?(named name: String) {
        guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = level
    }

    static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
