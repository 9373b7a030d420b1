import RPC

/// The messages of one batch that have not begun: they begin one by one, between other clients' turns.
///
/// Confined to the loop.
final class BatchLine {
    private let line: [UInt8]
    private let messages: [Range<Int>]
    private var next = 0
    let answers: PendingBatch

    /// - Parameters:
    ///   - line: The batch's line, which is copied.
    ///   - messages: Where its messages stand.
    ///   - answers: Gets their answers.
    init(_ line: UnsafeRawBufferPointer, messages: [Range<Int>], answers: PendingBatch) {
        // The copy is made within the call.
        self.line = unsafe Array(line)
        self.messages = messages
        self.answers = answers
    }

    var isDone: Bool { next == messages.count }
    var bytes: Int { line.count + messages.count * MemoryLayout<Range<Int>>.stride }

    /// Takes the next message, lent for the call; must not be done.
    func takeNext(_ body: (UnsafeRawBufferPointer) -> Void) {
        let range = messages[next]
        next += 1
        // The line lives through the call, and the range is in it.
        unsafe line.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
