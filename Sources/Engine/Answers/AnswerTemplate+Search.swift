import EventLoop
import JSON
import RPC
import SearchModel

extension AnswerTemplate {
    /// How the answer is given.
    package enum Form: Sendable {
        /// With the hits in it.
        case whole(raw: Bool)
        /// The end of a stream: the hits have been sent, only their order is in it.
        case streamed
    }

    /// The result of a search, as the contract says.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - form: With hits, or as the end of a stream.
    ///   - repeats: Whether the template is for later askers: the time it takes is then theirs.
    ///   - didYouMean: What might have been meant by a query that finds nothing.
    ///   - isSaved: Whether the user who asks has saved the hit of an id; nil when that is said of none.
    package init(
        _ answer: SearchAnswer,
        form: Form,
        repeats: Bool,
        didYouMean: [String] = [],
        isSaved: ((String) -> Bool)? = nil
    ) {
        self.init()
        append(literal: "{".utf8)
        append(literal: Self.head(answer))
        switch form {
        case .whole(let raw): appendHits(answer.hits, raw: raw)
        case .streamed: appendOrder(answer.hits)
        }
        append(literal: ",\"sources\":[".utf8)
        for (index, report) in answer.sources.enumerated() {
            if index > 0 { append(literal: ",".utf8) }
            append(report, repeats: repeats)
        }
        append(literal: "],".utf8)
        let saved = isSaved.map { answer.hits.map(\.entry.id).filter($0) } ?? []
        append(literal: Self.tail(answer, saved: saved, didYouMean: didYouMean))
        append(literal: ",\"elapsed\":".utf8)
        appendElapsed()
        append(literal: "}".utf8)
    }

    /// A hit as an answer has it.
    package init(_ hit: HitPosition, withRaw: Bool) {
        self.init()
        append(hit, withRaw: withRaw)
    }

    /// A source's entry as an answer has it.
    package init(_ report: SourceReport) {
        self.init()
        append(report, repeats: false)
    }

    private static func head(_ answer: SearchAnswer) -> ArraySlice<UInt8> {
        JSONWriter.members { writer in
            writer.member(.query, answer.query.text)
            writer.member(.completedQuery, answer.completedQuery?.text)
            writer.member(.sort, answer.sort.rawValue)
        }
    }

    private mutating func appendHits(_ hits: [HitPosition], raw: Bool) {
        append(literal: ",\"hits\":[".utf8)
        for (index, hit) in hits.enumerated() {
            if !raw, index > 0, extendHits(to: hit) { continue }
            if index > 0 { append(literal: ",".utf8) }
            append(hit, withRaw: raw)
        }
        append(literal: "]".utf8)
    }

    /// The ids in order; and, since a hit may have been sent before the others had answered, which others have it too.
    private mutating func appendOrder(_ hits: [HitPosition]) {
        var writer = JSONWriter()
        writer.array { writer in
            for hit in hits { writer.string(hit.entry.id) }
        }
        append(literal: ",\"order\":".utf8)
        append(literal: writer.bytes)
        let joined = hits.filter(\.hasOthers)
        guard !joined.isEmpty else { return }
        appendByID("alsoFrom", of: joined) { hit, writer in
            writer.raw(Self.names(hit.alsoFrom))
        }
        appendByID("sameAs", of: joined) { hit, writer in
            writer.array { writer in
                // In a user's own data a hit has the id that it has at its source.
                for duplicate in hit.duplicates where !duplicate.id.hasSameBytes(as: hit.entry.id) {
                    writer.string(duplicate.id)
                }
            }
        }
    }

    /// A member of the answer that says something of some of its hits.
    private mutating func appendByID(
        _ name: String,
        of hits: [HitPosition],
        _ write: (HitPosition, inout JSONWriter) -> Void
    ) {
        var writer = JSONWriter()
        writer.object { writer in
            for hit in hits {
                writer.name(hit.entry.id)
                write(hit, &writer)
            }
        }
        append(literal: ",\"\(name)\":".utf8)
        append(literal: writer.bytes)
    }

    private mutating func append(_ report: SourceReport, repeats: Bool) {
        append(literal: "{".utf8)
        let before = JSONWriter.members { writer in
            writer.member(.source, report.source.text)
            writer.member(.status, report.status.rawValue)
            writer.member(.cache, report.cache?.rawValue)
        }
        append(literal: before)
        if let fetchedAt = report.fetchedAt {
            append(literal: ",\"age\":".utf8)
            appendAge(since: fetchedAt)
        }
        let between = JSONWriter.members { writer in
            writer.member(.count, report.count)
            writer.member(.total, report.total)
            if report.total != nil { writer.member(.totalIsEstimate, report.totalIsEstimate) }
            writer.member(.reachable, report.reachable)
            writer.member(.end, report.isEnd)
            if report.isSortedByDaemon { writer.member(.sortedBy, "daemon") }
        }
        append(literal: ",".utf8)
        append(literal: between)
        append(literal: ",\"elapsed\":".utf8)
        if repeats { appendElapsed() } else { append(literal: Decimal.milliseconds(report.elapsed)) }
        if let reason = report.reason {
            append(literal: ",".utf8)
            append(
                literal: JSONWriter.members { writer in
                    writer.member(.reason, reason.rawValue)
                    writer.member(.retryAfter, report.retryAfter?.wholeMilliseconds)
                }
            )
        }
        if let error = report.error {
            var writer = JSONWriter()
            MessageWriter.error(error, to: &writer)
            append(literal: ",\"error\":".utf8)
            append(literal: writer.bytes)
        }
        append(literal: "}".utf8)
    }

    private static func tail(
        _ answer: SearchAnswer,
        saved: [String],
        didYouMean: [String]
    ) -> ArraySlice<UInt8> {
        JSONWriter.members { writer in
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
    }
}

extension JSONWriter {
    mutating func members(of count: FilteredCount) {
        member(.looked, count.looked)
        member(.kept, count.kept)
        if count.undated > 0 { member(.undated, count.undated) }
    }

    /// The members of an object without the braces around them, for answers that are put together of pieces.
    fileprivate static func members(_ write: (inout JSONWriter) -> Void) -> ArraySlice<UInt8> {
        var writer = JSONWriter()
        writer.object(write)
        return writer.bytes[1..<writer.bytes.count - 1]
    }
}
