package import EventLoop
import JSON
import RPC
import SearchModel

/// A source's entry in an answer, in the three pieces between which age and time are written.
package struct ReportText {
    let beforeAge: [UInt8]
    let afterAge: [UInt8]
    let afterElapsed: [UInt8]

    private let report: SourceReport

    package init(_ report: SourceReport) {
        self.report = report
        beforeAge =
            [UInt8(ascii: "{")]
            + JSONWriter.members { writer in
                writer.member("source", report.source.text)
                writer.member("status", report.status.rawValue)
                writer.member("cache", report.cache?.rawValue)
            }
        afterAge =
            [UInt8(ascii: ",")]
            + JSONWriter.members { writer in
                writer.member("count", report.count)
                writer.member("total", report.total)
                if report.total != nil { writer.member("totalIsEstimate", report.totalIsEstimate) }
                writer.member("reachable", report.reachable)
                writer.member("end", report.isEnd)
                if report.isSortedByDaemon { writer.member("sortedBy", "daemon") }
            }
        guard let error = report.error else {
            afterElapsed = [UInt8(ascii: "}")]
            return
        }
        let members = JSONWriter.members { writer in
            writer.name("error")
            MessageWriter.error(error, to: &writer)
        }
        afterElapsed = [UInt8(ascii: ",")] + members + [UInt8(ascii: "}")]
    }

    /// The whole entry, with the figures of one moment.
    package func bytes(at now: Instant) -> [UInt8] {
        var bytes = beforeAge
        if let fetchedAt = report.fetchedAt {
            bytes.append(contentsOf: ",\"age\":".utf8)
            Decimal.appendTenths(nanoseconds: fetchedAt.nanoseconds(to: now), perSecond: 1, to: &bytes)
        }
        bytes.append(contentsOf: afterAge)
        bytes.append(contentsOf: ",\"elapsed\":".utf8)
        Decimal.appendTenths(nanoseconds: report.elapsed.saturatingNanoseconds, perSecond: 1000, to: &bytes)
        bytes.append(contentsOf: afterElapsed)
        return bytes
    }
}
