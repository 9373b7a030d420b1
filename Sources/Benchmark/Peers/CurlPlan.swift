import EventLoop
import HTTPMessage
import JSON

/// What the plain loop around libcurl is to download.
struct CurlPlan: Equatable, Sendable {
    /// Asked for in rotation, all of one server.
    let urls: [String]
    /// Header lines, the same for all.
    let lines: [String]
    let atOnce: Int
    let warming: Duration
    let measured: Duration

    /// The downloads of these requests; their headers must be alike.
    init(_ requests: [HTTPRequest], atOnce: Int, warming: Duration, measured: Duration) {
        urls = requests.map(\.url)
        lines = requests.first?.fields.fields.map { "\($0.name): \($0.value)" } ?? []
        self.atOnce = atOnce
        self.warming = warming
        self.measured = measured
    }

    /// Reads what `text` has written to a file.
    init(file: String) throws(BenchmarkError) {
        guard let bytes = SystemCall.contents(of: file) else { throw SystemCall.failure("reading \(file)") }
        guard let plan = CurlPlan(text: bytes) else {
            throw BenchmarkError(.usage, "\(file) holds no plan", hint: "let searchbench --parts miss write it")
        }
        self = plan
    }

    /// Nil for what is no plan.
    init?(text: [UInt8]) {
        guard let root = try? JSONDocument(text).root, let urls = root["urls"]?.elements,
            let lines = root["lines"]?.elements,
            let atOnce = root["atOnce"]?.int, let warming = root["warmingNs"]?.int,
            let measured = root["measuredNs"]?.int
        else { return nil }
        self.urls = urls.compactMap(\.string)
        self.lines = lines.compactMap(\.string)
        guard self.urls.count == urls.count, self.lines.count == lines.count, !urls.isEmpty, atOnce > 0 else {
            return nil
        }
        self.atOnce = atOnce
        self.warming = .nanoseconds(warming)
        self.measured = .nanoseconds(measured)
    }

    var text: [UInt8] {
        let plan: JSONValue = [
            "urls": .array(urls.map { .string($0) }), "lines": .array(lines.map { .string($0) }),
            "atOnce": .integer(atOnce), "warmingNs": .integer(warming.saturatingNanoseconds),
            "measuredNs": .integer(measured.saturatingNanoseconds),
        ]
        return plan.bytes
    }
}
