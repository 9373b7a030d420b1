import Terminal
import TestSupport
import Testing

@testable import Client

struct TextFieldTests {
    private func field(_ text: String, _ operations: TextField.Operation...) -> TextField {
        var field = TextField(text)
        for operation in operations { field.perform(operation) }
        return field
    }

    private func shown(_ field: TextField) -> String {
        String(field.graphemes[..<field.cursor]) + "|" + String(field.graphemes[field.cursor...])
    }

    @Test func `words are gone over and deleted whole`() {
        #expect(shown(field("고양이 사료 추천", .wordLeft)) == "고양이 사료 |추천")
        #expect(shown(field("고양이 사료 추천", .wordLeft, .wordLeft)) == "고양이 |사료 추천")
        #expect(shown(field("고양이 사료 추천", .start, .wordRight)) == "고양이| 사료 추천")
        #expect(shown(field("고양이 사료  ", .deleteWord)) == "고양이 |")
        #expect(shown(field("고양이 사료", .start, .deleteWordRight)) == "| 사료")
        #expect(shown(field("고양이", .left, .deleteToStart)) == "|이")
        #expect(shown(field("고양이", .left, .deleteToEnd)) == "고양|")
        #expect(shown(field("", .deleteLeft, .deleteRight, .deleteWord, .left, .right, .wordLeft)) == "|")
    }

    @Test func `a syllable put together by an input method is one`() {
        var field = TextField()
        let typed = "ㄱ\u{7F}고\u{7F}공\u{7F}고야\u{7F}양"
        var decoder = InputDecoder()
        for event in decoder.received(typed.utf8) { _ = field.received(event) }
        #expect(field.text == "고양")
        // Letters that only stand for a syllable together.
        for scalar in "\u{110B}\u{1175}".unicodeScalars { _ = field.received(.text(String(scalar))) }
        #expect(Array(field.text.unicodeScalars) == Array("고양이".unicodeScalars))
        field.perform(.deleteLeft)
        #expect(field.text == "고양")
    }

    @Test func `a paste becomes one line without what drives a terminal`() {
        var field = TextField("a")
        _ = field.received(.paste("b\r\nc\u{1B}[2J\td\u{202E}"))
        #expect(field.text == "ab  c[2J d")
    }

    @Test func `it takes as many bytes as a query may have, and not one more`() {
        var field = TextField(String(repeating: "a", count: 1023))
        field.insert("가")
        #expect(field.text.utf8.count == 1023)
        field.insert("b")
        field.insert("c")
        #expect(field.text.utf8.count == 1024)
    }

    @Test func `the cursor is always in view, and a click finds its letter`() {
        var field = TextField("고양이와 강아지")
        #expect(field.shown(columns: 40) == ("고양이와 강아지", 15))
        let narrow = field.shown(columns: 8)
        #expect(narrow.cursor < 8)
        field.moveCursor(toShown: 5, columns: 40)
        #expect(shown(field) == "고양|이와 강아지")
        field.moveCursor(toShown: 99, columns: 40)
        #expect(field.isAtEnd)
        field.moveCursor(toShown: -3, columns: 40)
        #expect(field.cursor == 0)
    }

    @Test func `whatever is typed, the cursor stays within the text`() {
        var random = SeededGenerator(seed: testSeed())
        let texts = ["가", " ", "\u{1100}", "\u{1161}", "\u{301}", "e", "👩‍👩‍👧", "\u{200D}", "𝒳"]
        for _ in 0..<100 {
            var field = TextField()
            for _ in 0..<40 {
                if Bool.random(using: &random) {
                    field.insert(texts.randomElement(using: &random) ?? "")
                } else {
                    field.perform(TextField.Operation.allCases.randomElement(using: &random) ?? .left)
                }
                #expect((0...field.graphemes.count).contains(field.cursor))
                #expect(field.shown(columns: 10).cursor < 10)
            }
        }
    }
}
