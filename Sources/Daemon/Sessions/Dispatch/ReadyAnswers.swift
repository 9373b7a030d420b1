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
    /// Of each user of whom it is known; no answer is given to another, unless all are for everyone.
    private var audiences: [UInt32: Audience] = [:]
    /// Of a user of whom nothing is known.
    private var audienceOfOthers: Audience? = .everyone
    /// The user who asked last, who mostly asks next, and what `audiences` says.
    private var latest: (userID: UInt32, audience: Audience)?

    init(_ counters: Counters, uses: RepeatedUses) {
        self.counters = counters
        // Lines are chosen by clients: none can tell which of them share a hash.
        answers = FinishedAnswers(bytesMax: Self.bytesMax, seed: .random(in: .min ... .max), uses: uses)
    }

    var bytesUsed: Int { answers.bytesUsed }

    /// From now on an answer is given only to users of whom it is known which they may be given.
    func followAudiences(tellsUsersApart: Bool) {
        (audienceOfOthers, latest) = (nil, nil)
        // It may be several users, of whom none has data here.
        if !tellsUsersApart { audiences[UserMap.nobody] = .everyone }
    }

    /// Says which answers a user may be given; nil when that is not known any more.
    func change(audienceOf userID: UInt32, to audience: Audience?) {
        audiences[userID] = audience
        latest = nil
    }

    private func audience(of userID: UInt32) -> Audience? {
        if let latest, latest.userID == userID { return latest.audience }
        guard let audience = audiences[userID] ?? audienceOfOthers else { return nil }
        latest = (userID, audience)
        return audience
    }

    /// An answer that was given.
    struct Given {
        /// The channel that its request came on.
        let channel: String?
    }

    /// Writes the answer to a line, with its end; nil when none that is still good is kept.
    func write(
        answerTo line: UnsafeRawBufferPointer,
        of userID: UInt32,
        on connection: UInt64,
        at now: Instant,
        to output: inout [UInt8]
    ) -> Given? {
        guard let audience = audience(of: userID), let repeated = unsafe RepeatedLine(line) else { return nil }
        // The parts are of the line, which outlives this call.
        let key = unsafe UnsafeRawBufferPointer(rebasing: line[repeated.rest])
        let found = unsafe answers.answer(for: key, of: userID, ownOnly: audience == .user, now: now)
        guard let found else { return nil }
        let id = unsafe UnsafeRawBufferPointer(rebasing: line[repeated.id])
        unsafe WireLine.write(found.template, to: id, into: &output, at: now)
        counters.repeatedSearch()
        found.whenGiven?(userID, connection, now)
        return Given(channel: found.channel)
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
            validUntil: answer.validUntil,
            channel: answer.channel,
            whenGiven: answer.whenGiven,
            noteBytes: answer.noteBytes
        )
    }

    /// Drops every answer: they were made of what is no longer in force.
    func removeAll() {
        answers.removeAll()
    }
}
