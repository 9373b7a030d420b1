import EventLoop
import RPC

/// A batch, whose messages begin one by one, between turns of other clients, and whose answers are sent as one line.
///
/// Must be used on the loop.
final class PendingBatch {
    private var line: [UInt8]
    private var messages: ArraySlice<Range<Int>>
    private var outstanding = 0
    private var answers: [UInt8] = []

    /// Copies a line that has messages in these ranges.
    init(_ line: UnsafeRawBufferPointer, messages: [Range<Int>]) {
        // The line is copied during the call.
        self.line = unsafe Array(line)
        self.messages = messages[...]
    }

    /// Whether every message has begun.
    var hasBegun: Bool { messages.isEmpty }
    /// Whether every message has begun and every answer is available.
    var isComplete: Bool { messages.isEmpty && outstanding == 0 }
    var bytes: Int { line.count + answers.count }
    /// The number of bytes that are left for answers.
    var room: Int { SessionLimits.answerBytes - answers.count }

    /// Calls `body` with the next message.
    func beginNext(_ body: (UnsafeRawBufferPointer) -> Void) {
        let range = messages.removeFirst()
        // The line is valid during the call, and the range is within it.
        unsafe line.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[range])) }
        if messages.isEmpty { line = [] }
    }

    /// Records that the message that is beginning needs an answer.
    func expect() {
        outstanding += 1
    }

    func add(_ reply: Reply, to id: RequestID, now: Instant) {
        outstanding -= 1
        answers.append(answers.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
        WireLine.write(reply, to: id, into: &answers, at: now)
    }

    /// Returns the line of a complete batch, or nil if no message needs an answer.
    func takeLine() -> [UInt8]? {
        guard !answers.isEmpty else { return nil }
        defer { answers = [] }
        return answers + "]\n".utf8
    }
}
