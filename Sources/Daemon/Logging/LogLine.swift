import SearchModel

/// A log line as a person reads it; pure.
enum LogLine {
    /// `2026-11-21T22:02:13.123Z warning: message (source=kakao.blog)`, with its line end.
    ///
    /// Whatever is not seen, or would begin another line, is written out.
    static func text(_ record: LogRecord, milliseconds: Int64) -> String {
        "\(time(milliseconds)) \(record.level): \(body(record))\n"
    }

    /// For a journal that takes lines only: it adds the time itself, and reads the level from the line.
    static func prefixed(_ record: LogRecord) -> String {
        "<\(record.level.rawValue)>\(body(record))\n"
    }

    private static func body(_ record: LogRecord) -> String {
        let fields = record.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        return SafeText.line(fields.isEmpty ? record.message : "\(record.message) (\(fields))")
    }

    /// RFC 3339 in UTC.
    private static func time(_ milliseconds: Int64) -> String {
        let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
        let time = CivilTime(epochSeconds: seconds)
        let date = "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
        let clock = "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
        return "\(date)T\(clock).\(padded(Int(milliseconds - seconds * 1000), 3))Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
