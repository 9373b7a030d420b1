import Testing

@testable import Terminal

struct GraphicsQuestionTests {
    private func kind(_ bytes: String, _ variables: [String: String] = [:]) -> GraphicsKind? {
        var question = GraphicsQuestion { variables[$0] }
        var decoder = InputDecoder()
        #expect(decoder.received(bytes.utf8) == [])
        return decoder.takeAnswers().compactMap { question.received($0) }.last
    }

    @Test func `a terminal that knows nothing of pictures gets characters`() {
        #expect(kind("\u{1B}[?64;1;2;6c") == .symbols)
        // Errors of kitty's protocol, answers to others, and no end.
        #expect(kind("\u{1B}_Gi=2147483647;ENOTSUP:x\u{1B}\\\u{1B}[?62c") == .symbols)
        #expect(kind("\u{1B}_Gi=1;OK\u{1B}\\\u{1B}[?62c") == .symbols)
        #expect(kind("\u{1B}_Gi=2147483647;OK\u{1B}\\") == nil)
    }

    @Test func `each protocol is found by the answer that names it`() {
        #expect(kind("\u{1B}[?62;4;22c") == .sixel)
        #expect(kind("\u{1B}_Gi=2147483647;OK\u{1B}\\\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}[?62;c") == .kitty)
        #expect(kind("\u{1B}P>|iTerm2 3.5.0\u{1B}\\\u{1B}[?62;4c") == .iTerm)
        #expect(kind("\u{1B}[?62;4c", ["TERM_PROGRAM": "iTerm.app"]) == .iTerm)
        // Within tmux, its own name hides the other's.
        #expect(kind("\u{1B}[?1;2c", ["TERM_PROGRAM": "tmux", "LC_TERMINAL": "iTerm2"]) == .symbols)
    }

    @Test func `an answer is no key, however it is split and whatever it holds`() {
        var decoder = InputDecoder()
        let bytes = Array("\u{1B}P>|\u{1}x\u{1B}\\a\u{1B}_Gi=2147483647;OK\u{1B}\\\u{1B}[?4cb".utf8)
        #expect(bytes.flatMap { decoder.received([$0]) } == [.text("a"), .text("b")])
        #expect(decoder.takeAnswers() == [.version("x"), .graphics(isKnown: true), .attributes([4])])
        #expect(decoder.takeAnswers() == [])
    }

    @Test func `answers are kept up to their limits`() {
        var decoder = InputDecoder()
        for _ in 0...InputDecoder.answersMax { _ = decoder.received("\u{1B}[?4c".utf8) }
        #expect(decoder.takeAnswers().count == InputDecoder.answersMax)
        let long = String(repeating: "x", count: InputDecoder.answerBytesMax)
        _ = decoder.received("\u{1B}P>|\(long)\u{1B}\\".utf8)
        #expect(decoder.takeAnswers() == [.version(String(long.dropLast(2)))])
    }

    @Test func `some terminals would show the question`() {
        #expect(GraphicsQuestion.canBeAsked { ["TERM": "xterm-256color"][$0] })
        #expect(!GraphicsQuestion.canBeAsked { ["TERM": "linux"][$0] })
        #expect(!GraphicsQuestion.canBeAsked { ["TERM": "xterm", "TERM_PROGRAM": "Apple_Terminal"][$0] })
    }
}
