import EventLoop

/// One metric in the sense of Prometheus: a name, what it means, and its samples.
struct MetricFamily {
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    struct Sample {
        /// What follows the family's name: `_bucket`, `_sum` and `_count` of a histogram.
        var suffix = ""
        var labels: [(name: String, value: String)] = []
        var value: Double
    }

    let name: String
    let kind: Kind
    let help: String
    private(set) var samples: [Sample] = []

    /// Counters are named `…_total`, and what has a unit ends in it: seconds, bytes.
    init(_ name: String, _ kind: Kind, _ help: String) {
        assert(kind != .counter || name.hasSuffix("_total"))
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// A family of one sample without labels.
    init(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        self.init(name, kind, help)
        add(value)
    }

    mutating func add(_ value: Int, _ labels: (String, String)...) {
        samples.append(Sample(labels: labels.map { (name: $0.0, value: $0.1) }, value: Double(value)))
    }

    mutating func add(_ value: Double, _ labels: (String, String)...) {
        samples.append(Sample(labels: labels.map { (name: $0.0, value: $0.1) }, value: value))
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
