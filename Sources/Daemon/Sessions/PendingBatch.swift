import EventLoop
import RPC

/// A batch of messages, which begin one by one and are answered in one line; used only on the loop.
final class PendingBatch {
    private var line: [UInt8]
    private var messages: ArraySlice<Range<Int>>
    private var outstanding = 0
    private var answers: [UInt8] = []

    init(_ line: UnsafeRawBufferPointer, messages: [Range<Int>]) {
        // The line is copied during the call.
        self.line = unsafe Array(line)
        self.messages = messages[...]
    }

    var hasBegun: Bool { messages.isEmpty }
    var isComplete: Bool { messages.isEmpty && outstanding == 0 }
    var bytes: Int { line.count + answers.count }
    var room: Int { SessionLimits.answerBytes - answers.count }

    func beginNext(_ body: (UnsafeRawBufferPointer) -> Void) {
        let range = messages.removeFirst()
        // The line is valid during the call, and the range is within it.
        unsafe line.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[range])) }
        if messages.isEmpty { line = [] }
    }

    func expect() {
        outstanding += 1
    }

    func add(_ reply: Reply, to id: RequestID, now: Instant) {
        outstanding -= 1
        answers.append(answers.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
        WireLine.write(reply, to: id, into: &answers, at: now)
    }

    func takeLine() -> [UInt8]? {
        guard !answers.isEmpty else { return nil }
        defer { answers = [] }
        return answers + "]\n".utf8
    }
}
