import EventLoop
package import HTTPMessage
import JSON

/// What the plain loop around libcurl is to download.
package struct CurlPlan: Equatable, Sendable {
    /// Asked for in rotation, all of one server.
    package let urls: [String]
    /// Header lines, the same for all.
    package let lines: [String]
    package let atOnce: Int
    package let warming: Duration
    package let measured: Duration

    /// The downloads of these requests; their headers must be alike.
    package init(_ requests: [HTTPRequest], atOnce: Int, warming: Duration, measured: Duration) {
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
    package init?(text: [UInt8]) {
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

    package var text: [UInt8] {
        JSONValue.object([
            JSONMember("urls", .array(urls.map { .string($0) })),
            JSONMember("lines", .array(lines.map { .string($0) })),
            JSONMember("atOnce", .number(JSONNumber(atOnce))),
            JSONMember("warmingNs", .number(JSONNumber(warming.saturatingNanoseconds))),
            JSONMember("measuredNs", .number(JSONNumber(measured.saturatingNanoseconds))),
        ]).bytes
    }
}
