import Testing

@testable import Daemon

struct CheckOutputTests {
    @Test func `what fits, or goes to no terminal, is one line`() {
        #expect(CheckOutput.fold("one two", columns: 7) == ["one two"])
        #expect(CheckOutput.fold("one two", columns: nil) == ["one two"])
        #expect(CheckOutput.fold("", columns: 7) == [""])
    }

    @Test func `a longer line is folded between words, and no word is cut`() {
        #expect(CheckOutput.fold("one two three", columns: 8) == ["one two", "  three"])
        #expect(CheckOutput.fold("a/very/long/path: 고양이 없음", columns: 8) == ["a/very/long/path:", "  고양이 없음"])
    }
}
