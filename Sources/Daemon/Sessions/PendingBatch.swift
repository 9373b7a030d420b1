import EventLoop
import RPC

/// A batch: its messages begin one by one between other clients' turns; its answers are sent as one line.
///
/// Confined to the loop.
final class PendingBatch {
    private var line: [UInt8]
    private var messages: ArraySlice<Range<Int>>
    private var outstanding = 0
    private var answers: [UInt8] = []

    /// Copies a line; its messages are at these ranges.
    init(_ line: UnsafeRawBufferPointer, messages: [Range<Int>]) {
        // The copy is made within the call.
        self.line = unsafe Array(line)
        self.messages = messages[...]
    }

    /// Whether every message has begun.
    var hasBegun: Bool { messages.isEmpty }
    /// Whether every message has started and every answer is available.
    var isComplete: Bool { messages.isEmpty && outstanding == 0 }
    var bytes: Int { line.count + answers.count }
    /// The remaining space for answers in bytes.
    var room: Int { SessionLimits.answerBytes - answers.count }

    /// Passes the next message to a body.
    func beginNext(_ body: (UnsafeRawBufferPointer) -> Void) {
        let range = messages.removeFirst()
        // The line outlives the call, and the range is in it.
        unsafe line.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[range])) }
        if messages.isEmpty { line = [] }
    }

    /// Expects an answer to the message that begins.
    func expect() {
        outstanding += 1
    }

    func add(_ reply: Reply, to id: RequestID, now: Instant) {
        outstanding -= 1
        answers.append(answers.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
        WireLine.write(reply, to: id, into: &answers, at: now)
    }

    /// Returns the line of a complete batch; nil if no message needs an answer.
    func takeLine() -> [UInt8]? {
        guard !answers.isEmpty else { return nil }
        defer { answers = [] }
        return answers + "]\n".utf8
    }
}
