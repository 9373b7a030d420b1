import Engine
import EventLoop
import JSON
import RPC

/// Finished answers, kept by the request line without its id, so that a repeated search costs a few copies.
///
/// One that depends on a user's data is kept for that user alone.
///
/// Confined to the loop.
final class ReadyAnswers {
    /// The memory of all answers together.
    static let bytesMax = 4 << 20

    private let counters: Counters
    private var answers: FinishedAnswers

    init(_ counters: Counters, uses: RepeatedUses) {
        self.counters = counters
        // Lines are chosen by clients: none can tell which of them share a hash.
        answers = FinishedAnswers(bytesMax: Self.bytesMax, seed: .random(in: .min ... .max), uses: uses)
    }

    var bytesUsed: Int { answers.bytesUsed }

    /// Writes the answer to a line, with its end; false when none that is still good is kept.
    func write(
        answerTo line: UnsafeRawBufferPointer,
        of userID: UInt32,
        at now: Instant,
        to output: inout [UInt8]
    ) -> Bool {
        guard let repeated = unsafe RepeatedLine(line) else { return false }
        // The parts are of the line, which outlives this call.
        let key = unsafe UnsafeRawBufferPointer(rebasing: line[repeated.rest])
        guard let found = unsafe answers.answer(for: key, of: userID, now: now) else { return false }
        let id = unsafe UnsafeRawBufferPointer(rebasing: line[repeated.id])
        unsafe WireLine.write(found.template, to: id, into: &output, at: now)
        counters.repeatedSearch()
        return true
    }

    /// Keeps an answer for later lines that are alike: those of one user, or of all.
    func keep(_ answer: RepeatableAnswer, for line: UnsafeRawBufferPointer, of userID: UInt32?) {
        guard let repeated = unsafe RepeatedLine(line) else { return }
        unsafe answers.insert(
            answer.template,
            for: UnsafeRawBufferPointer(rebasing: line[repeated.rest]),
            of: userID,
            validity: answer.validity,
            pageCount: answer.pageCount,
            validUntil: answer.validUntil
        )
    }

    /// Drops every answer: they were made of what is no longer in force.
    func removeAll() {
        answers.removeAll()
    }
}
