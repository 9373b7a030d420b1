import EventLoop
import Hangul
import SearchModel
import TestSupport
import Testing

@testable import Daemon

@Suite struct TypingPaceTests {
    private static let words = ["고양이", "닭볶음", "값없이", "대한민", "괜찮아", "강아지", "읽었다", "외국어"]

    private static func states(of word: String) -> [String] {
        let keys = KeyboardLayout.latin(typedAs: word)
        return keys.indices.map { KeyboardLayout.hangul(typedAs: String(keys[...$0])) }
    }

    private static func typed(_ states: [String], gap: () -> Int) -> (begun: [String], wait: Duration) {
        var pace = TypingPace()
        var now = Instant(nanoseconds: 0)
        var begun: [String] = []
        var held: (query: String, at: Instant)?
        var wait = Duration.zero
        for (index, state) in states.enumerated() {
            if index > 0 { now = now.advanced(by: .milliseconds(gap())) }
            if let held, held.at <= now { begun.append(held.query) }
            let mayCallSources = SearchQuery(state)?.isUnfinished(whileTyping: true) == false
            wait = pace.recordKeystroke(at: now, mayCallSources: mayCallSources)
            held = mayCallSources ? (state, now.advanced(by: wait)) : nil
        }
        if let held { begun.append(held.query) }
        return (begun, wait)
    }

    @Test(arguments: words) func `at a steady pace only the complete word is searched`(word: String) {
        let states = Self.states(of: word)
        #expect(states.last == word && states.count >= 6)
        for gap in 40...400 {
            let (begun, wait) = Self.typed(states) { gap }
            #expect(begun == [word], "\(gap) ms")
            #expect(wait > .milliseconds(gap) && wait <= TypingPace.wordPause, "\(gap) ms")
            #expect(wait <= max(.milliseconds(gap) * 3 / 2, TypingPace.waitMin))
        }
    }

    @Test(arguments: words) func `at an uneven pace at most two searches begin`(word: String) {
        var random = SeededGenerator(seed: testSeed())
        let states = Self.states(of: word)
        for _ in 0..<2000 {
            let slowest = Int.random(in: 40...400, using: &random)
            let (begun, wait) = Self.typed(states) { Int.random(in: 40...slowest, using: &random) }
            #expect(begun.count <= 2 && begun.last == word)
            #expect(wait <= TypingPace.wordPause)
        }
    }

    @Test func `the first keystroke of a word does not wait, and a pause ends a word`() {
        var pace = TypingPace()
        func keystroke(_ milliseconds: Int, mayCallSources: Bool = true) -> Duration {
            let now = Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
            return pace.recordKeystroke(at: now, mayCallSources: mayCallSources)
        }
        #expect(keystroke(0) == .zero)
        #expect(keystroke(200) == .milliseconds(300))
        #expect(keystroke(450, mayCallSources: false) == .zero)
        #expect(keystroke(900) == TypingPace.wordPause)
        #expect(keystroke(1351) == .zero)
        #expect(keystroke(1351) == TypingPace.waitMin)
        #expect(keystroke(1391) == TypingPace.waitMin)
        #expect(keystroke(1600) == TypingPace.wordPause)
    }
}
