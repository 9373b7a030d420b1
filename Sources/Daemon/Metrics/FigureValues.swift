import Engine
import EventLoop
import Fleet
import JSON
import RPC
import SearchModel
import Storage

/// The values of a group of figures at one moment, for `server/stats` and `server/metrics`.
struct FigureValues {
    enum Value {
        case count(Int)
        case counts([(word: String, count: Int)])
        case histogram(LatencyHistogram)
        case milliseconds(Double)
    }

    private let group: FigureGroup
    private let values: KeyValuePairs<Member, Value>

    init(_ group: FigureGroup, _ values: KeyValuePairs<Member, Value>) {
        self.group = group
        self.values = values
    }

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

extension FigureValues {
    init(_ cache: ResultCache.Figures) {
        self.init(
            .cache,
            [
                .entries: .count(cache.entries), .bytes: .count(cache.bytes), .limit: .count(cache.limit),
                .hits: .count(cache.hits), .misses: .count(cache.misses), .stale: .count(cache.stale),
                .evictions: .count(cache.evictions),
            ]
        )
    }

    init(_ disk: PageArchive.Figures) {
        self.init(
            .disk,
            [
                .entries: .count(disk.entries), .bytes: .count(disk.bytes), .limit: .count(disk.limit),
                .hits: .count(disk.hits), .misses: .count(disk.misses), .evictions: .count(disk.evictions),
                .dropped: .count(disk.dropped),
            ]
        )
    }
}

extension FigureValues {
    init(_ fleet: SharedServer.Figures) {
        self.init(
            .fleet,
            [
                .connected: .count(fleet.trouble == nil ? 1 : 0), .hosts: .count(fleet.hosts),
                .commands: .count(fleet.commands), .sharedCalls: .count(fleet.sharedCalls),
                .savedCalls: .count(fleet.savedCalls), .refusedCalls: .count(fleet.refusedCalls),
            ]
        )
    }
}

extension Dictionary<String, Int> {
    var inOrder: [(word: String, count: Int)] { map { (word: $0.key, count: $0.value) }.sorted { $0.word < $1.word } }
}

extension JSONWriter {
    mutating func counts(_ counts: [(word: String, count: Int)]) {
        for (word, count) in counts { member(word, count) }
    }

    mutating func cache(_ memory: ResultCache.Figures, _ disk: PageArchive.Figures?) {
        FigureValues(memory).write(to: &self)
        object(.disk) { writer in
            if let disk { FigureValues(disk).write(to: &writer) }
        }
    }

    mutating func histogram(_ histogram: LatencyHistogram) {
        let mean = Double(histogram.sumNanoseconds) / Double(max(1, histogram.count)) / 1_000_000
        member(.count, histogram.count)
        member(.mean, mean)
        object(.atMost) { writer in
            for bucket in histogram.cumulative where bucket.count > 0 {
                writer.member(DecimalText.text(Double(bucket.bound) / 1_000_000), bucket.count)
            }
        }
    }

    mutating func problem(_ name: Member, _ message: String, _ hint: String) {
        object(name) { writer in
            writer.member(.message, message)
            writer.member(.hint, hint)
        }
    }
}
