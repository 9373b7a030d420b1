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

/// A log line in the journal's native protocol: one field a line, those of several lines with their length; pure.
enum JournalEntry {
    static let identifier = "searchd"
    private static let newline = UInt8(ascii: "\n")

    static func bytes(_ record: LogRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        append("MESSAGE", record.message, to: &bytes)
        append("PRIORITY", String(record.level.rawValue), to: &bytes)
        append("SYSLOG_IDENTIFIER", identifier, to: &bytes)
        for field in record.fields { append(name(field.name), field.value, to: &bytes) }
        return bytes
    }

    /// `SEARCHD_ELAPSED_MILLISECONDS` for `elapsedMilliseconds`.
    private static func name(_ name: String) -> String {
        "SEARCHD_" + name.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        bytes += name.utf8
        let value = Array(value.utf8)
        if value.contains(newline) {
            bytes.append(newline)
            let length = UInt64(value.count)
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(newline)
    }
}
