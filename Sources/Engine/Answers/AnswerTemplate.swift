package import EventLoop
package import JSON
import RPC
import SearchModel

/// The JSON text of a search result, with gaps for ages and elapsed times.
package struct AnswerTemplate: Sendable {
    /// A streamed result contains only the order of the hits, because the stream has already sent the hits.
    package enum Form: Sendable {
        case whole(raw: Bool)
        case streamed
    }

    private enum Gap: Sendable {
        case age(since: Instant)
        /// The milliseconds since the request arrived.
        case elapsed
    }

    private static let (reportBytes, ownBytes) = (320, 512)
    private static let gapBytesMax = 21

    private let text: [UInt8]
    private let gaps: [(offset: Int, gap: Gap)]

    package var bytesMax: Int { text.count + gaps.count * Self.gapBytesMax }

    package var bytesUsed: Int { text.capacity + gaps.capacity * MemoryLayout<(Int, Gap)>.stride }

    /// If `repeats` is true, later requests reuse the text.
    ///
    /// The elapsed times in a later answer are counted from the arrival of its request.
    package init(
        _ answer: SearchAnswer,
        form: Form,
        repeats: Bool,
        didYouMean: [String] = [],
        isSaved: ((String) -> Bool)? = nil
    ) {
        var writer = JSONWriter()
        var gaps: [(offset: Int, gap: Gap)] = []
        let hitBytes = answer.hits.reduce(0) { $0 + $1.entry.range.count + 1 }
        writer.bytes.reserveCapacity(hitBytes + answer.sources.count * Self.reportBytes + Self.ownBytes)
        writer.object { writer in
            writer.member(.query, answer.query.text)
            writer.member(.completedQuery, answer.completedQuery?.text)
            writer.member(.sort, answer.sort.rawValue)
            switch form {
            case .whole(let raw):
                writer.name(.hits)
                writer.array { writer in
                    for hit in answer.hits { writer.hit(hit, withRaw: raw) }
                }
            case .streamed: Self.writeOrder(answer.hits, to: &writer)
            }
            writer.name(.sources)
            writer.array { writer in
                for report in answer.sources {
                    writer.object { writer in
                        writer.members(of: report) { since, writer in
                            Self.open(.age(since: since), in: &writer, &gaps)
                        } elapsed: { writer in
                            if repeats {
                                Self.open(.elapsed, in: &writer, &gaps)
                            } else {
                                writer.milliseconds(report.elapsed)
                            }
                        }
                    }
                }
            }
            let saved = isSaved.map { answer.hits.map(\.entry.id).filter($0) } ?? []
            Self.writeEnd(answer, saved: saved, didYouMean: didYouMean, to: &writer)
            writer.name(.elapsed)
            Self.open(.elapsed, in: &writer, &gaps)
        }
        (text, self.gaps) = (writer.bytes, gaps)
    }

    private static func open(_ gap: Gap, in writer: inout JSONWriter, _ gaps: inout [(offset: Int, gap: Gap)]) {
        writer.raw(EmptyCollection())
        gaps.append((writer.bytes.count, gap))
    }

    private static func writeOrder(_ hits: [HitPosition], to writer: inout JSONWriter) {
        writer.name("order")
        writer.array { writer in
            for hit in hits { writer.string(hit.entry.id) }
        }
        let joined = hits.filter(\.hasOthers)
        guard !joined.isEmpty else { return }
        writer.name("alsoFrom")
        writer.object { writer in
            for hit in joined { writer.member(hit.entry.id, names: hit.alsoFrom) }
        }
        writer.name("sameAs")
        writer.object { writer in
            for hit in joined {
                writer.name(hit.entry.id)
                writer.array { writer in
                    // A hit of the user's own data has the same id as the hit of its source.
                    for duplicate in hit.duplicates where !duplicate.id.hasSameBytes(as: hit.entry.id) {
                        writer.string(duplicate.id)
                    }
                }
            }
        }
    }

    private static func writeEnd(
        _ answer: SearchAnswer,
        saved: [String],
        didYouMean: [String],
        to writer: inout JSONWriter
    ) {
        writer.name(.next)
        if let next = answer.next { writer.string(next.text) } else { writer.null() }
        if let filtered = answer.filtered { writer.object(.filtered) { $0.members(of: filtered) } }
        writer.member(.complete, answer.isComplete)
        if !saved.isEmpty { writer.member(.saved, saved) }
        if !didYouMean.isEmpty { writer.member(.didYouMean, didYouMean) }
        if let trace = answer.trace {
            writer.name(.trace)
            TraceEvent.write(trace, since: answer.startedAt, to: &writer)
        }
    }

    package func write(to output: inout [UInt8], now: Instant, since start: Instant) {
        var written = 0
        for (offset, gap) in gaps {
            output.append(contentsOf: text[written..<offset])
            switch gap {
            case .age(let since): output.append(tenths: since.nanoseconds(to: now), perSecond: 1)
            case .elapsed: output.append(tenths: start.nanoseconds(to: now), perSecond: 1000)
            }
            written = offset
        }
        output.append(contentsOf: text[written...])
    }
}

extension JSONWriter {
    package mutating func hit(_ hit: HitPosition, withRaw: Bool) {
        let (entry, text, documents) = (hit.entry, hit.page.bytes, hit.page.raw)
        let hasRaw = withRaw && !entry.rawRange.isEmpty
        guard hit.hasOthers || hasRaw else { return raw(text.span.extracting(entry.range)) }
        raw(text.span.extracting(entry.range.dropLast()))
        if hit.hasOthers { member("alsoFrom", names: hit.alsoFrom) }
        if hasRaw {
            name("raw")
            raw(documents.span.extracting(entry.rawRange))
        }
        bytes.append(UInt8(ascii: "}"))
    }

    package mutating func members(of report: SourceReport, at now: Instant) {
        members(of: report) { since, writer in
            writer.tenths(nanoseconds: since.nanoseconds(to: now), perSecond: 1)
        } elapsed: { writer in
            writer.milliseconds(report.elapsed)
        }
    }

    fileprivate mutating func members(
        of report: SourceReport,
        age: (Instant, inout JSONWriter) -> Void,
        elapsed: (inout JSONWriter) -> Void
    ) {
        member(.source, report.source.text)
        member(.status, report.status.rawValue)
        member(.cache, report.cache?.rawValue)
        if let fetchedAt = report.fetchedAt {
            name(.age)
            age(fetchedAt, &self)
        }
        member(.count, report.count)
        member(.total, report.total)
        if report.total != nil { member(.totalIsEstimate, report.totalIsEstimate) }
        member(.reachable, report.reachable)
        member(.end, report.isEnd)
        if report.isSortedByDaemon { member(.sortedBy, "daemon") }
        member(.sorted, report.sorted)
        name(.elapsed)
        elapsed(&self)
        member(.reason, report.reason?.rawValue)
        if report.reason != nil { member(.retryAfter, report.retryAfter?.wholeMilliseconds) }
        if let error = report.error {
            name(.error)
            MessageWriter.error(error, to: &self)
        }
    }

    mutating func members(of count: FilteredCount) {
        member(.looked, count.looked)
        member(.kept, count.kept)
        if count.undated > 0 { member(.undated, count.undated) }
    }

    fileprivate mutating func member(_ name: String, names sources: [SourceName]) {
        self.name(name)
        array { writer in
            for source in sources { writer.string(source.text) }
        }
    }

    mutating func milliseconds(_ duration: Duration) {
        tenths(nanoseconds: duration.saturatingNanoseconds, perSecond: 1000)
    }

    private mutating func tenths(nanoseconds: Int64, perSecond: Int64) {
        raw(EmptyCollection())
        bytes.append(tenths: nanoseconds, perSecond: perSecond)
    }
}

extension [UInt8] {
    /// Appends seconds if `perSecond` is 1, or milliseconds if it is 1000; rounds down to one decimal.
    mutating func append(tenths nanoseconds: Int64, perSecond: Int64) {
        let tenths = Swift.max(0, nanoseconds) / (100_000_000 / perSecond)
        append(contentsOf: String(tenths / 10).utf8)
        append(UInt8(ascii: "."))
        append(UInt8(ascii: "0") + UInt8(tenths % 10))
    }
}
