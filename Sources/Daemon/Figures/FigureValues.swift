import EventLoop
import JSON
import RPC
import SearchModel

/// The figures of a group at one moment, from which `server/stats` and `server/metrics` are both written.
struct FigureValues {
    enum Value {
        case count(Int)
        /// For each of some words, in their order.
        case counts([(word: String, count: Int)])
        case histogram(LatencyHistogram)
        case milliseconds(Double)
    }

    private let group: FigureGroup
    private let values: [(member: Member, value: Value)]

    init(_ group: FigureGroup, _ counts: KeyValuePairs<Member, Int>, _ others: KeyValuePairs<Member, Value> = [:]) {
        self.group = group
        values = counts.map { ($0.key, .count($0.value)) } + others.map { ($0.key, $0.value) }
    }

    /// Writes them as members of an object.
    func write(to writer: inout JSONWriter) {
        for (member, value) in values {
            switch value {
            case .count(let count): writer.member(member, count)
            case .counts(let counts): writer.object(member) { $0.counts(counts) }
            case .histogram(let histogram): writer.object(member) { $0.histogram(histogram) }
            case .milliseconds(let milliseconds): writer.member(member, milliseconds)
            }
        }
    }

    /// Those that are metrics.
    var metrics: [MetricFamily] {
        values.compactMap { member, value in
            guard let figure = group[member], let name = figure.metric else { return nil }
            var family = MetricFamily(name, figure.about)
            switch (value, figure.shape) {
            case (.count(let count), _): family.add(count)
            case (.counts(let counts), .counts(let label)):
                for (word, count) in counts { family.add(count, (label, word)) }
            case (.histogram(let histogram), _): family.add(histogram)
            case (.milliseconds, _), (.counts, _): return nil
            }
            return family
        }
    }
}

extension Dictionary<String, Int> {
    /// In the order of the words.
    var inOrder: [(word: String, count: Int)] { map { (word: $0.key, count: $0.value) }.sorted { $0.word < $1.word } }
}

extension JSONWriter {
    mutating func counts(_ counts: [(word: String, count: Int)]) {
        for (word, count) in counts { member(word, count) }
    }

    /// How many, their mean and, for each bound in milliseconds, how many took at most so long.
    mutating func histogram(_ histogram: LatencyHistogram) {
        member(.count, histogram.count)
        member(
            .mean,
            histogram.count == 0 ? 0 : Double(histogram.sumNanoseconds) / Double(histogram.count) / 1_000_000
        )
        object(.atMost) { writer in
            for bucket in histogram.cumulative where bucket.count > 0 {
                writer.member(PlainNumber.text(Double(bucket.bound) / 1_000_000), bucket.count)
            }
        }
    }
}
