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
