import CCurlPeer
import EventLoop
import SearchModel

/// A plain loop around libcurl in a process of its own: it downloads what searchd would, and throws it away.
enum CurlPeer {
    /// Runs the plan in a child on the serving processor.
    static func measure(_ plan: CurlPlan, _ factory: PeerFactory, file: String) throws(BenchmarkError) -> CurlSample {
        try SystemCall.write(plan.text, to: file)
        let command = Command(program: factory.programs.searchbench, arguments: ["curl-peer", "--plan", file])
        let child = try factory.processors.serving { () throws(BenchmarkError) in
            try ChildProcess(command, log: "\(file).log", isHeard: true)
        }
        guard let line = try child.line(), let sample = CurlSample(line) else {
            throw child.failure("did not say what it downloaded")
        }
        guard child.exitStatus() == 0 else { throw child.failure("failed after its downloads") }
        return sample
    }

    /// Runs the plan in this process.
    static func run(_ plan: CurlPlan) throws(BenchmarkError) -> CurlSample {
        var report = curl_peer_report()
        // The lists and their strings are lent for the call, which keeps none of them; the report outlives it.
        let outcome = unsafe withCStrings(plan.urls) { urls in
            unsafe withCStrings(plan.lines) { lines in
                unsafe "searchd/\(Version.program)".withCString { agent in
                    guard let urls = unsafe urls, let lines = unsafe lines else { return Int32(-1) }
                    // Pointers to characters, whether they may be changed or not.
                    var given = unsafe curl_peer_plan()
                    unsafe given.urls = UnsafeRawPointer(urls).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
                    unsafe given.url_count = plan.urls.count
                    unsafe given.lines = UnsafeRawPointer(lines).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
                    unsafe given.line_count = plan.lines.count
                    unsafe given.user_agent = agent
                    unsafe given.at_once = plan.atOnce
                    unsafe given.warming_ns = plan.warming.saturatingNanoseconds
                    unsafe given.measured_ns = plan.measured.saturatingNanoseconds
                    return unsafe curl_peer_run(&given, &report)
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
