import EventLoop
import SearchTestSupport
import TestSupport
import Testing

@testable import Engine

struct FinishedAnswersTests {
    private static let seed: UInt64 = 42

    /// The answers with the calls that copy keys and texts.
    private struct Answers {
        var finished: FinishedAnswers

        init(bytesMax: Int, uses: RepeatedUses = RepeatedUses()) {
            finished = FinishedAnswers(bytesMax: bytesMax, seed: FinishedAnswersTests.seed, uses: uses)
        }

        mutating func insert(
            _ text: String,
            for key: String,
            of userID: UInt32? = nil,
            validity: [ValidityToken] = [],
            pageCount: Int = 0,
            validUntil: Instant = .end,
            noteBytes: Int = 0
        ) {
            var template = AnswerTemplate()
            template.append(literal: text.utf8)
            // The key is copied within the call.
            unsafe Array(key.utf8).withUnsafeBytes { key in
                unsafe finished.insert(
                    template,
                    for: key,
                    of: userID,
                    validity: validity,
                    pageCount: pageCount,
                    validUntil: validUntil,
                    whenGiven: { _, _, _ in },
                    noteBytes: noteBytes
                )
            }
        }

        /// What is appended to the output; nil when there is nothing.
        mutating func text(for key: String, of userID: UInt32 = 7, now: Instant = at(.zero)) -> String? {
            var output = Array(">".utf8)
            // The key is read within the call.
            let found = unsafe Array(key.utf8).withUnsafeBytes { key in
                unsafe finished.answer(for: key, of: userID, now: now)
            }
            guard let found else { return nil }
            found.template.write(to: &output, now: now, since: now)
            return String(decoding: output.dropFirst(), as: UTF8.self)
        }
    }

    private struct Expected {
        let text: String
        let token: ValidityToken
        let validUntil: Instant

        func isValid(at now: Instant) -> Bool { !token.isEnded && now < validUntil }
    }

    private static let fewKeys = (0..<60).map { "key \($0)" }
    private static let manyKeys = (0..<600).map { String(repeating: "k", count: $0 % 40) + "\($0)" }

    @Test(arguments: [(fewKeys, 40), (manyKeys, 500)])
    func `whatever comes and goes what is good is found and nothing else`(keys: [String], countMax: Int) throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<5 {
            var answers = Answers(bytesMax: 10_000_000)
            var model: [String: Expected] = [:]
            for step in 0..<2000 {
                let now = at(.seconds(step))
                let key = try #require(keys.randomElement(using: &random))
                let kept = model.values.count { $0.isValid(at: now) }
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4 where kept < countMax:
                    let life = Duration.seconds(Int.random(in: 0..<800, using: &random))
                    let expected = Expected(text: "\(step)", token: ValidityToken(), validUntil: now.advanced(by: life))
                    answers.insert(
                        expected.text,
                        for: key,
                        validity: [ValidityToken(), expected.token],
                        validUntil: expected.validUntil
                    )
                    model[key] = expected
                case 4: model[key]?.token.end()
                default:
                    let expected = model[key].flatMap { $0.isValid(at: now) ? $0.text : nil }
                    let text = answers.text(for: key, now: now)
                    #expect(text == expected)
                }
                #expect(answers.finished.count <= model.count)
            }
            for (key, expected) in model {
                let text = answers.text(for: key, now: at(.seconds(2000)))
                #expect(text == (expected.isValid(at: at(.seconds(2000))) ? expected.text : nil))
            }
            let left = model.values.count { $0.isValid(at: at(.seconds(2000))) }
            #expect(answers.finished.count == left)
        }
    }

    @Test func `within a small bound the newest is there and nothing is ever wrong`() throws {
        var random = SeededGenerator(seed: testSeed())
        var answers = Answers(bytesMax: 20_000)
        var model: [String: String] = [:]
        var found = 0
        for step in 0..<3000 {
            let key = try #require(Self.manyKeys.randomElement(using: &random))
            if Bool.random(using: &random) {
                let text = "\(step)" + String(repeating: "x", count: Int.random(in: 0...300, using: &random))
                answers.insert(text, for: key)
                model[key] = text
                let newest = answers.text(for: key)
                #expect(newest == text)
            } else if let text = answers.text(for: key) {
                #expect(text == model[key])
                found += 1
            }
            #expect(answers.finished.bytesUsed <= 20_000 + 4 * 1024)
        }
        #expect(found > 50)
        #expect(answers.finished.count < 150)
    }

    @Test func `every page of an answer that is given counts as used, also after all were forgotten`() {
        let uses = RepeatedUses()
        var answers = Answers(bytesMax: 10_000, uses: uses)
        let tokens = [ValidityToken(), ValidityToken()]
        for _ in 0..<2 {
            answers.insert("a", for: "key", validity: tokens, pageCount: 2)
            #expect(tokens.allSatisfy { !$0.takeUse() })
            for _ in 0..<3 { _ = answers.text(for: "key") }
            #expect(tokens.allSatisfy { $0.takeUse() })
            answers.finished.removeAll()
            let text = answers.text(for: "key")
            #expect(text == nil)
        }
        #expect(uses.count == 12)
    }

    @Test func `an answer is good until the nanosecond it is not`() {
        var answers = Answers(bytesMax: 10_000)
        answers.insert("a", for: "key", validUntil: at(.seconds(5)))
        let last = answers.text(for: "key", now: at(.seconds(5) - .nanoseconds(1)))
        #expect(last == "a")
        let late = answers.text(for: "key", now: at(.seconds(5)))
        #expect(late == nil)
        #expect(answers.finished.count == 0)
    }

    @Test func `a newer answer replaces the older one`() {
        var answers = Answers(bytesMax: 10_000)
        answers.insert("old", for: "key")
        answers.insert("new", for: "key")
        let text = answers.text(for: "key")
        #expect(text == "new")
        #expect(answers.finished.count == 1)
    }

    @Test func `what depends on a user is for that user alone`() {
        var answers = Answers(bytesMax: 10_000)
        answers.insert("everyone's", for: "key")
        answers.insert("one's", for: "key", of: 0)
        answers.insert("other's", for: "key", of: .max)
        for (user, expected) in [(0, "one's"), (.max, "other's"), (1, "everyone's")] as [(UInt32, String)] {
            let (text, none) = (answers.text(for: "key", of: user), answers.text(for: "other key", of: user))
            #expect(text == expected && none == nil)
        }
        #expect(answers.finished.count == 3)
        answers.insert("newer", for: "key", of: 0, validUntil: at(.seconds(5)))
        let (newer, late) = (answers.text(for: "key", of: 0), answers.text(for: "key", of: 0, now: at(.seconds(5))))
        // Without one of its own, a user gets everyone's.
        #expect(newer == "newer" && late == "everyone's")
        #expect(answers.finished.count == 2)
    }

    @Test func `a use is noted for the user whose it is`() {
        var answers = Answers(bytesMax: 10_000)
        let token = ValidityToken()
        answers.insert("a", for: "key", validity: [token])
        #expect(token.isOnly(of: 1) && token.isOnly(of: 2))
        _ = answers.text(for: "key", of: 1)
        #expect(token.isOnly(of: 1) && !token.isOnly(of: 2))
        _ = answers.text(for: "key", of: 2)
        #expect(!token.isOnly(of: 1) && !token.isOnly(of: 2))
    }

    @Test func `an answer larger than the bound is not kept and drives nothing out`() {
        var answers = Answers(bytesMax: 2000)
        answers.insert("small", for: "a")
        answers.insert(String(repeating: "x", count: 2000), for: "b")
        let (small, large) = (answers.text(for: "a"), answers.text(for: "b"))
        #expect(small == "small" && large == nil)
    }
}

extension Instant {
    fileprivate static let end = Instant(nanoseconds: .max)
}
