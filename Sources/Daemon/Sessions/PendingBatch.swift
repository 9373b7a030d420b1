import EventLoop
import RPC

/// A batch: its messages, which begin one by one between other clients' turns, and its answers, which are sent as one
/// line when all of them are there.
///
/// Confined to the loop.
final class PendingBatch {
    private var line: [UInt8]
    private var messages: ArraySlice<Range<Int>>
    private var outstanding = 0
    /// The answers so far.
    private var text: [UInt8] = []

    /// - Parameters:
    ///   - line: The batch's line, which is copied.
    ///   - messages: Where its messages are in the line.
    init(_ line: UnsafeRawBufferPointer, messages: [Range<Int>]) {
        // The copy is made within the call.
        self.line = unsafe Array(line)
        self.messages = messages[...]
    }

    /// Whether every message has begun.
    var hasBegun: Bool { messages.isEmpty }
    /// Whether every message has begun and every answer is there.
    var isComplete: Bool { messages.isEmpty && outstanding == 0 }
    var bytes: Int { line.count + text.count }
    /// How many bytes of answers fit in still.
    var room: Int { SessionLimits.answerBytes - text.count }

    /// Begins the next message, lent for the call; not when all have begun.
    func beginNext(_ body: (UnsafeRawBufferPointer) -> Void) {
        let range = messages.removeFirst()
        // The line lives through the call, and the range is in it.
        unsafe line.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[range])) }
        if messages.isEmpty { line = [] }
    }

    /// Expects an answer to the message that begins.
    func expect() {
        outstanding += 1
    }

    func add(_ reply: Reply, to id: RequestID, now: Instant) {
        outstanding -= 1
        text.append(text.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
        WireLine.write(reply, to: id, into: &text, at: now)
    }

    /// Takes the line of a complete batch; nil when it asks for no answer.
    func takeLine() -> [UInt8]? {
        guard !text.isEmpty else { return nil }
        defer { text = [] }
        return text + "]\n".utf8
    }
}
