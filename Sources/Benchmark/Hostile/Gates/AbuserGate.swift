import EventLoop

/// A client that breaks the rules gets the error that the contract names, or is closed, within ten seconds.
enum AbuserGate {
    private static let answerNanosecondsMax: Int64 = 10_000_000_000
    private static let requestsInFlightMax = 4_096
    private static let emptyLines = 100_000

    /// What is sent, and the error that comes; nil for a result.
    private struct Abuse {
        let name: String
        let bytes: [UInt8]
        let error: String?
        /// The sender ends its side, and expects the daemon to close.
        var endsSending = false
    }

    static func run(_ stage: HostileStage) throws(BenchmarkError) -> [Verdict] {
        let daemon = try stage.daemon()
        try stage.sandbox.change(#"{"faults":[{"source":"kakao.web","name":"hang"}]}"#)
        var verdicts: [Verdict] = []
        for abuse in abuses { verdicts.append(try attempt(abuse, daemon)) }
        try stage.sandbox.change(#"{"faults":[]}"#)
        return verdicts
    }

    private static var abuses: [Abuse] {
        let line = HostilePosition.lineBytesMax
        let letter = UInt8(ascii: "a")
        let hanging = Wire.search("늘", "kakao.web", #","timeout":60000"#)
        return [
            Abuse(name: "bytes that are not UTF-8", bytes: [0xFF, 0xFE, 0x80, 0x0A], error: "parseError"),
            Abuse(name: "no JSON", bytes: Array("GET / HTTP/1.1\r\n".utf8), error: "parseError"),
            Abuse(name: "no request", bytes: Array("{\"a\":1}\n".utf8), error: "invalidRequest"),
            Abuse(name: "65 levels", bytes: nested(65), error: "tooDeep"),
            Abuse(
                name: "a line a byte too long",
                bytes: Array(repeating: letter, count: line + 1) + [0x0A],
                error: "lineTooLong"
            ),
            Abuse(
                name: "16 MiB without an end, then one",
                bytes: Array(repeating: letter, count: 16 * line) + [0x0A],
                error: "lineTooLong"
            ),
            Abuse(name: "an unknown method", bytes: Wire.request(1, "server/pong"), error: "methodNotFound"),
            Abuse(
                name: "an unknown parameter",
                bytes: Wire.request(1, "search", #"{"query":"a","b":1}"#),
                error: "invalidParams"
            ),
            Abuse(
                name: "half a line, then no more",
                bytes: Array("{\"jsonrpc\":".utf8),
                error: "parseError",
                endsSending: true
            ),
            Abuse(
                name: "an id twice",
                bytes: Wire.request(1, "search", hanging) + Wire.request(1, "server/ping"),
                error: "duplicateId"
            ),
            Abuse(
                name: "one request in flight too many",
                bytes: (0...requestsInFlightMax).flatMap { Wire.request($0, "search", hanging) },
                error: "overloaded"
            ),
            Abuse(
                name: "\(emptyLines) empty lines",
                bytes: Array(repeating: 0x0A, count: emptyLines) + Wire.ping,
                error: nil
            ),
        ]
    }

    private static func nested(_ levels: Int) -> [UInt8] {
        Array(repeating: UInt8(ascii: "["), count: levels) + Array(repeating: UInt8(ascii: "]"), count: levels) + [0x0A]
    }

    private static func attempt(_ abuse: Abuse, _ daemon: HostileDaemon) throws(BenchmarkError) -> Verdict {
        let begin = SystemCall.now
        let deadline = begin + answerNanosecondsMax
        let talk = try daemon.talk()
        let isTaken = talk.send(abuse.bytes, until: deadline)
        if abuse.endsSending { talk.endSending() }
        let answer = isTaken ? talk.line(until: deadline) : nil
        let took = SystemCall.now - begin
        let kind = Wire.errorKind(answer)
        var passed = answer != nil && kind == abuse.error
        if abuse.endsSending {
            _ = talk.line(until: deadline)
            passed = passed && talk.isClosed
        }
        let said = answer == nil ? "no answer" : kind ?? "a result"
        return Verdict(
            "\(abuse.name) is answered with \(abuse.error ?? "a result") within 10 s",
            measured: "\(said) after \(Unit.milliseconds.text(Double(took))) ms",
            passed: passed
        )
    }
}
