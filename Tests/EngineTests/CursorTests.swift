import TestSupport
import Testing

@testable import Engine

struct CursorTests {
    @Test(
        arguments: [
            (0, 0, "0000000000000000-0"), (1, 10, "0000000000000001-a"), (.max, 101_000, "ffffffffffffffff-18a88"),
            (0xDEAD_BEEF, 0xFF_FFFF_FFFF, "00000000deadbeef-ffffffffff"),
        ] as [(UInt64, Int, String)]
    )
    func `a cursor is written as two hexadecimal numbers`(walk: UInt64, position: Int, text: String) {
        let cursor = Cursor(walk: walk, position: position)
        #expect(cursor.text == text)
        #expect(Cursor(text) == cursor)
    }

    @Test func `a written cursor is parsed to the same value`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<200 {
            let cursor = Cursor(
                walk: UInt64.random(in: 0...(.max), using: &random),
                position: Int.random(in: 0...200_000, using: &random)
            )
            #expect(Cursor(cursor.text) == cursor)
        }
    }

    @Test(arguments: [
        "", "-", "a", "0000000000000001", "0000000000000001-", "-a", "000000000000001-a", "00000000000000001-a",
        "0000000000000001-a-", "0000000000000001-a-b", "-0000000000000001-a", "0000000000000001--a",
        "000000000000000A-a",
        "0000000000000001-A", "0000000000000001-+1", "+000000000000001-1", "0000000000000001- 1", "0000000000000001-g",
        "0000000000000001-fffffffffff", "0x00000000000001-1", "0000000000000001-1\n", "0000000000000001-1\0",
        "000000000000000１-1", "0000000000000001–1", "고양이",
    ])
    func `text that is not a cursor is refused`(text: String) {
        #expect(Cursor(text) == nil)
    }

    @Test func `parsing random text never traps`() {
        var random = SeededGenerator(seed: testSeed())
        let alphabet = Array("0123456789abcdef--AF+ \u{0}é")
        for _ in 0..<1000 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) }
            )
            if let cursor = Cursor(text) {
                #expect(cursor.position >= 0)
                #expect(Cursor(cursor.text) == cursor)
            }
        }
    }
}
