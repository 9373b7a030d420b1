import JSON
import TestSupport
import Testing

@testable import MCP

@Suite struct AgentTextTests {
    @Test(arguments: Injection.all)
    func `of every injection comes out what is said here`(_ injection: Injection) {
        #expect(Array(AgentText.cleaned(injection.text).utf8) == Array(injection.expected.utf8))
    }

    @Test func `there are many of them, each once`() {
        #expect(Injection.all.count >= 150)
        #expect(Set(Injection.all.map { Array($0.text.utf8) }).count == Injection.all.count)
    }

    @Test(arguments: Injection.all)
    func `what has been cleaned stays as it is`(_ injection: Injection) {
        let cleaned = AgentText.cleaned(injection.text)
        #expect(Self.problems(cleaned) == [])
        #expect(Self.problems(AgentText.cleaned(cleaned)) == [])
    }

    @Test func `a run of letters is a word up to the limit`() {
        let fits = String(repeating: "A", count: AgentText.wordScalarsMax - 1)
        #expect(AgentText.cleaned(fits) == fits)
        #expect(AgentText.cleaned(fits + "A") == "(64 characters left out)")
        let korean = String(repeating: "가", count: 200)
        #expect(AgentText.cleaned(korean) == korean)
        let address = "https://a.example/" + String(repeating: "a", count: 100)
        #expect(AgentText.cleaned(address) == address)
    }

    @Test func `a text is cut behind its limit, between words`() {
        let words = Array(repeating: "word", count: AgentText.scalarsMax)
        let cleaned = AgentText.cleaned(words.joined(separator: " "))
        #expect(cleaned.hasSuffix("word (the rest is left out)"))
        #expect(cleaned.unicodeScalars.count <= AgentText.scalarsMax + 30)
    }

    @Test func `whatever is in a text, nothing of it renders, hides or ends anything`() {
        var random = SeededGenerator(seed: testSeed())
        let pieces = Injection.all.map(\.text) + ["\n", "\u{1B}", "<", "&", "lt;", "_", "data:", "\u{301}", "고", "a "]
        for _ in 0..<testEvents(3000) {
            var text = ""
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)].unicodeScalars
                let count = Int.random(in: 0...piece.count, using: &random)
                text.unicodeScalars.append(contentsOf: piece.prefix(count))
                if Bool.random(using: &random) {
                    let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
                    text.unicodeScalars.append(scalar ?? " ")
                }
            }
            let cleaned = AgentText.cleaned(text)
            #expect(Self.problems(cleaned) == [], "\(text.debugDescription)")
            let quoted = QuotedText.lines(.object([JSONMember("title", .string(cleaned))]))
            #expect(quoted.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
            #expect(quoted.utf8.starts(with: "> title: ".utf8))
        }
    }

    @Test func `the time grows with the text`() throws {
        for piece in ["a\u{301}", "\u{1B}]", "data:", "&lt", "_a", "\u{200B}", "javascript："] {
            let isLinear = try Growth.isLinear(upTo: 200_000) { size in
                let text = String(repeating: piece, count: size / piece.utf8.count)
                return { _ = AgentText.cleaned(text) }
            }
            #expect(isLinear, "\(piece.debugDescription)")
        }
    }

    /// What a cleaned text may not hold; written without the code that cleans.
    private static func problems(_ text: String) -> [String] {
        text.unicodeScalars.filter { scalar in
            let properties = scalar.properties
            switch properties.generalCategory {
            case .control, .format, .privateUse, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator:
                return true
            default: break
            }
            return properties.isDefaultIgnorableCodePoint || "<>[]`*~\\⟦⟧＜＞［］｀".unicodeScalars.contains(scalar)
        }.map { "U+\(String($0.value, radix: 16))" }
            + ["javascript:a", " data:a", " file:/", "&lt;", "![", "](", "\n"].filter {
                (" " + text).lowercased().contains($0)
            }
    }
}
