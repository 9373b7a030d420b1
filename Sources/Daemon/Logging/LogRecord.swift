/// One line of the log, before it is written in the way of whoever reads it.
struct LogRecord: Equatable, Sendable {
    /// A named figure or name beside the message, for whoever filters the log.
    struct Field: Equatable, Sendable {
        /// In camel case, as `elapsedMilliseconds`.
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
