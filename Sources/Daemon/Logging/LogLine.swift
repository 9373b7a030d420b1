import SearchModel

/// Formats a line of the log.
enum LogLine {
    /// Returns a line such as `2026-11-21T22:02:13.123Z warning: message (source=kakao.blog)`.
    static func text(_ record: LogRecord, milliseconds: Int64) -> String {
        let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
        let fraction = String(1000 + milliseconds - seconds * 1000).dropFirst()
        let time = "\(RFC3339.text(seconds).dropLast()).\(fraction)Z"
        return "\(time) \(record.level): \(body(record))\n"
    }

    /// The journal adds the time, and reads the level from the prefix.
    static func prefixed(_ record: LogRecord) -> String {
        "<\(record.level.rawValue)>\(body(record))\n"
    }

    private static func body(_ record: LogRecord) -> String {
        let fields = record.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        return SafeText.line(fields.isEmpty ? record.message : "\(record.message) (\(fields))")
    }
}

/// Makes texts from files and from the web safe for a terminal.
enum SafeText {
    static func line(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned:
                safe.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }
}
