import Testing

@Suite struct LexerTests {
    private func code(_ text: String) -> [String] {
        SourceFile(text).code.filter { $0.kind != .string }.map(\.text)
    }

    @Test func `comments are no code, one in another neither`() {
        #expect(code("a // b\n/* c /* d */ e */ f") == ["a", "f"])
    }

    @Test func `strings are no code, whatever their fences`() {
        #expect(code(##"a("b\"c") + #"d"e\"# + """f"g""" + `h i`"##) == ["a", "(", ")", "+", "+", "+"])
    }

    @Test func `what is interpolated is code, in a string within it not`() {
        #expect(code(##""a\(b(c) + "d\(e)")f" + #"\(g)\#(h)"#"##) == ["b", "(", "c", ")", "+", "e", "+", "h"])
    }

    @Test func `every piece knows its lines`() {
        let tokens = SourceFile("a\n/*\n*/ b\n\"\"\"\nc\n\"\"\"\nd").tokens
        #expect(tokens.map(\.line) == [1, 2, 3, 4, 7])
        #expect(tokens.map(\.lastLine) == [1, 3, 3, 6, 7])
    }

    @Test func `what is never closed ends with the file`() {
        #expect(code("a \"b\nc") == ["a"])
        #expect(code("a /* b") == ["a"])
        #expect(code("\"\\(a") == ["a"])
    }
}
