/// Writes metrics in the text format of Prometheus, version 0.0.4.
enum MetricsText {
    static func write(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty {
            text += "# HELP \(family.name) \(escaped(family.help, quotes: false))\n"
            text += "# TYPE \(family.name) \(family.type)\n"
            for sample in family.samples {
                text += family.name + sample.suffix
                if !sample.labels.isEmpty {
                    let pairs = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
                    text += "{\(pairs.joined(separator: ","))}"
                }
                text += " \(PlainNumber.text(sample.value))\n"
            }
        }
        return text
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
