import Testing

@testable import JSON

struct ExactTextTests {
    private enum Choice: String, CaseIterable {
        case first
        case second = "\u{E9}"
    }

    @Test func `texts are equal when their bytes are, not when they only look alike`() {
        #expect(ExactText("caf\u{E9}") == "caf\u{E9}")
        #expect(ExactText("caf\u{E9}") != "cafe\u{301}")
        #expect(ExactText("") == "")
        #expect(ExactText("a") != "ab")
        #expect(Set<ExactText>(["\u{E9}", "e\u{301}", "\u{E9}"]).count == 2)
    }

    @Test func `beginnings and raw values go by bytes`() {
        #expect("e\u{301}a".hasBytePrefix("e"))
        #expect(!"e".hasBytePrefix("e\u{301}"))
        #expect(Choice(exactly: "first") == .first)
        #expect(Choice(exactly: "\u{E9}") == .second)
        #expect(Choice(exactly: "e\u{301}") == nil)
    }

    /// Compared by canonical equivalence, each of these would take minutes.
    @Test func `a mebibyte of combining marks is compared, hashed and looked up at once`() {
        let marks = String(repeating: "\u{301}\u{316}", count: 1 << 18)
        let others = String(repeating: "\u{301}\u{316}", count: (1 << 18) - 1) + "\u{316}\u{301}"
        #expect(ExactText(marks) != ExactText(others))
        let texts: [ExactText: Int] = [ExactText(marks): 1, ExactText(others): 2]
        #expect(texts[ExactText(others)] == 2)
        #expect(texts[ExactText(marks)] == 1)
        #expect(!marks.hasBytePrefix(others))
        #expect(Choice(exactly: marks) == nil)
    }
}
