import JSON

/// What the plain loop around libcurl did in its measured time.
struct CurlSample: Equatable, Sendable {
    var calls: Int
    /// Of bodies.
    var bytes: Int
    /// Downloads that ended otherwise than with status 200, since the start.
    var failures: Int
    var processorTime: Int64
    var elapsed: Int64

    /// Processor time for one download, in nanoseconds.
    var timePerCall: Double { Double(processorTime) / Double(max(calls, 1)) }
    var callsPerSecond: Double { Double(calls) * 1e9 / Double(max(elapsed, 1)) }
    var bytesPerCall: Double { Double(bytes) / Double(max(calls, 1)) }
}

extension CurlSample {
    /// Reads `line`; nil for anything else.
    init?(_ line: [UInt8]) {
        guard let root = try? JSONDocument(line).root, let calls = root["calls"]?.int, let bytes = root["bytes"]?.int,
            let failures = root["failures"]?.int, let processorTime = root["processorNs"]?.int,
            let elapsed = root["elapsedNs"]?.int
        else { return nil }
        self.init(
            calls: calls,
            bytes: bytes,
            failures: failures,
            processorTime: Int64(processorTime),
            elapsed: Int64(elapsed)
        )
    }

    /// As the child tells its parent.
    var line: String {
        let sample: JSONValue = [
            "calls": .integer(calls), "bytes": .integer(bytes), "failures": .integer(failures),
            "processorNs": .integer(processorTime), "elapsedNs": .integer(elapsed),
        ]
        return String(decoding: sample.bytes, as: UTF8.self)
    }
}
