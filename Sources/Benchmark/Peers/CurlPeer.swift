import CCurlPeer
import EventLoop
import HTTPMessage
import SearchModel

/// A plain loop around libcurl: it downloads what searchd would, and throws it away.
enum CurlPeer {
    /// Downloads in rotation on the serving processor, so many at a time; the requests must have the same headers.
    static func measure(
        _ requests: [HTTPRequest],
        atOnce: Int,
        warming: Duration,
        measured: Duration,
        _ processors: Processors
    ) throws(BenchmarkError) -> CurlSample {
        let fields = requests.first?.fields.fields.map { "\($0.name): \($0.value)" } ?? []
        var report = curl_peer_report()
        // The lists and their strings are lent for the call, which keeps none of them; the report outlives it.
        let outcome = try processors.serving {
            unsafe withCStrings(requests.map(\.url)) { urls in
                unsafe withCStrings(fields) { lines in
                    unsafe "searchd/\(Version.program)".withCString { agent in
                        guard let urls = unsafe urls, let lines = unsafe lines else { return Int32(-1) }
                        // Pointers to characters, whether they may be changed or not.
                        var plan = unsafe curl_peer_plan()
                        unsafe plan.urls = UnsafeRawPointer(urls).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
                        unsafe plan.url_count = requests.count
                        unsafe plan.lines = UnsafeRawPointer(lines).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
                        unsafe plan.line_count = fields.count
                        unsafe plan.user_agent = agent
                        unsafe plan.at_once = atOnce
                        unsafe plan.warming_ns = warming.saturatingNanoseconds
                        unsafe plan.measured_ns = measured.saturatingNanoseconds
                        return unsafe curl_peer_run(&plan, &report)
                    }
                }
            }
        }
        guard outcome == 0 else { throw SystemCall.failure("downloading") }
        return CurlSample(
            calls: Int(report.calls),
            bytes: Int(report.bytes),
            failures: Int(report.failures),
            processorTime: report.processor_ns,
            elapsed: report.elapsed_ns
        )
    }
}

/// What the plain loop around libcurl did in its measured time.
struct CurlSample: Equatable, Sendable {
    let calls: Int
    /// Of bodies.
    let bytes: Int
    /// Downloads that ended otherwise than with status 200, since the start.
    let failures: Int
    let processorTime: Int64
    let elapsed: Int64

    /// Processor time for one download, in nanoseconds.
    var timePerCall: Double { Double(processorTime) / Double(max(calls, 1)) }
    var callsPerSecond: Double { Double(calls) * 1e9 / Double(max(elapsed, 1)) }
    var bytesPerCall: Double { Double(bytes) / Double(max(calls, 1)) }
}
