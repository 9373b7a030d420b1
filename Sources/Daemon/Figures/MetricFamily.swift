import EventLoop

/// One metric in the sense of Prometheus: a name, what it means, and its samples.
struct MetricFamily {
    struct Sample {
        /// What follows the family's name: `_bucket`, `_sum` and `_count` of a histogram.
        var suffix = ""
        var labels: [(name: String, value: String)] = []
        var value: Double
    }

    let name: String
    let help: String
    private(set) var samples: [Sample] = []

    /// A family without samples; the name of a counter ends in `_total`, and what has a unit ends in it.
    init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }

    /// As Prometheus calls its kind.
    var type: String {
        if samples.contains(where: { $0.suffix == "_bucket" }) { return "histogram" }
        return name.hasSuffix("_total") ? "counter" : "gauge"
    }

    mutating func add(_ value: Int, _ labels: (String, String)...) {
        samples.append(Sample(labels: labels.map { (name: $0.0, value: $0.1) }, value: Double(value)))
    }

    mutating func add(_ value: Double) {
        samples.append(Sample(value: value))
    }

    /// The buckets, the sum and the count of a histogram, in seconds.
    mutating func add(_ histogram: LatencyHistogram, _ labels: (String, String)...) {
        let labels = labels.map { (name: $0.0, value: $0.1) }
        for bucket in histogram.cumulative {
            let bound = PlainNumber.text(Double(bucket.bound) / 1_000_000_000)
            samples.append(
                Sample(suffix: "_bucket", labels: labels + [("le", bound)], value: Double(bucket.count))
            )
        }
        let count = Double(histogram.count)
        let sum = Double(histogram.sumNanoseconds) / 1_000_000_000
        samples.append(Sample(suffix: "_bucket", labels: labels + [("le", "+Inf")], value: count))
        samples.append(Sample(suffix: "_sum", labels: labels, value: sum))
        samples.append(Sample(suffix: "_count", labels: labels, value: count))
    }
}

/// Numbers as a person and a metrics parser both read them.
enum PlainNumber {
    /// Without an exponent, and without a fraction where there is none.
    static func text(_ number: Double) -> String {
        if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
        return String(number)
    }
}

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
