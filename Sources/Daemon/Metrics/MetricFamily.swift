import EventLoop

/// A Prometheus metric with its samples in the text format 0.0.4.
struct MetricFamily {
    let name: String
    let help: String
    private var isHistogram = false
    private var lines = ""

    init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }

    mutating func add(_ value: Double, suffix: String = "", _ labels: [(String, String)] = []) {
        let pairs = labels.map { "\($0.0)=\"\(Self.escaped($0.1, quotes: true))\"" }.joined(separator: ",")
        lines += "\(name)\(suffix)\(pairs.isEmpty ? "" : "{\(pairs)}") \(DecimalText.text(value))\n"
    }

    mutating func add(_ value: Int, _ labels: (String, String)...) {
        add(Double(value), labels)
    }

    /// Writes the durations in seconds.
    mutating func add(_ histogram: LatencyHistogram, _ labels: (String, String)...) {
        isHistogram = true
        for bucket in histogram.cumulative {
            let bound = DecimalText.text(Double(bucket.bound) / 1_000_000_000)
            add(Double(bucket.count), suffix: "_bucket", labels + [("le", bound)])
        }
        add(Double(histogram.count), suffix: "_bucket", labels + [("le", "+Inf")])
        add(Double(histogram.sumNanoseconds) / 1_000_000_000, suffix: "_sum", labels)
        add(Double(histogram.count), suffix: "_count", labels)
    }

    var text: String {
        if lines.isEmpty { return "" }
        let type = isHistogram ? "histogram" : name.hasSuffix("_total") ? "counter" : "gauge"
        return "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(type)\n" + lines
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? escaped.replacing("\"", with: "\\\"") : escaped
    }
}

enum DecimalText {
    static func text(_ number: Double) -> String {
        if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
        return String(number)
    }
}
