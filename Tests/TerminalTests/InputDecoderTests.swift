import TestSupport
import Testing

@testable import Terminal

struct InputDecoderTests {
    private static let examples: [(bytes: String, events: [InputEvent])] = [
        ("a", [.text("a")]), ("고", [.text("고")]), ("\u{1F600}", [.text("\u{1F600}")]),
        ("\r", [.key(Key(.enter))]), ("\t", [.key(Key(.tab))]), ("\u{7F}", [.key(Key(.backspace))]),
        ("\u{3}", [.key(.control("c"))]), ("\u{1B}b", [.key(.alt("b"))]),
        ("\u{1B}\u{7F}", [.key(Key(.backspace, hasAlt: true))]),
        ("\u{1B}[A", [.key(Key(.up))]), ("\u{1B}OB", [.key(Key(.down))]),
        ("\u{1B}[1;5D", [.key(Key(.left, hasControl: true))]), ("\u{1B}[1;3C", [.key(Key(.right, hasAlt: true))]),
        ("\u{1B}[Z", [.key(Key(.tab, hasShift: true))]), ("\u{1B}[5~", [.key(Key(.pageUp))]),
        ("\u{1B}[3;5~", [.key(Key(.delete, hasControl: true))]), ("\u{1B}[15~", [.key(Key(.function(5)))]),
        ("\u{1B}[H", [.key(Key(.home))]), ("\u{1B}[4~", [.key(Key(.end))]), ("\u{1B}OP", [.key(Key(.function(1)))]),
        ("\u{1B}[<0;3;2M", [.mouse(Mouse(.click, row: 1, column: 2))]), ("\u{1B}[<0;3;2m", []),
        ("\u{1B}[<64;1;1M", [.mouse(Mouse(.wheelUp, row: 0, column: 0))]), ("\u{1B}[<35;9;9M", []),
        ("\u{1B}[200~고양이\nand \u{1B}[A more\u{1B}[201~", [.paste("고양이\nand \u{1B}[A more")]),
        // Control strings and answers of the terminal are not events.
        ("\u{1B}[?64;1;2c", []), ("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", []), ("\u{1B}P1$r0m\u{1B}\\", []),
        ("\u{1B}]52;c;abc\u{7}", []), ("\u{1B}[99999999999A", []),
    ]

    @Test func `keys, text, pastes and clicks are decoded, byte by byte and all at once`() {
        for example in Self.examples {
            var decoder = InputDecoder()
            #expect(decoder.received(example.bytes.utf8) == example.events)
            #expect(decoder.patience == nil)
            var slow = InputDecoder()
            #expect(example.bytes.utf8.flatMap { slow.received([$0]) } == example.events)
        }
    }

    @Test func `the events do not depend on how the bytes are split`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<200 {
            let chosen = (0..<8).compactMap { _ in Self.examples.randomElement(using: &random) }
            var rest = chosen.flatMap { Array($0.bytes.utf8) }[...]
            var decoder = InputDecoder()
            var events: [InputEvent] = []
            while !rest.isEmpty {
                let count = Int.random(in: 1...7, using: &random)
                events += decoder.received(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(events == chosen.flatMap(\.events))
        }
    }

    @Test func `an escape byte is the Escape key if no byte follows in time`() {
        var decoder = InputDecoder()
        #expect(decoder.received([0x1B]) == [])
        #expect(decoder.patience == 100)
        #expect(decoder.timedOut() == [.key(Key(.escape))])
        #expect(decoder.patience == nil)
        #expect(decoder.received("[".utf8) == [.text("[")])
    }

    @Test func `the rest of a slow sequence is not text`() {
        var decoder = InputDecoder()
        _ = decoder.received([0x1B])
        _ = decoder.timedOut()
        #expect(decoder.received("[A".utf8) == [.key(Key(.up))])
        _ = decoder.received("\u{1B}[".utf8)
        #expect(decoder.patience == 1000)
        #expect(decoder.received("1;5C".utf8) == [.key(Key(.right, hasControl: true))])
    }

    @Test func `the backspaces of an input method are reported`() {
        var decoder = InputDecoder()
        let typed = "ㄱ\u{7F}고\u{7F}공\u{7F}고야\u{7F}양"
        let events = typed.utf8.flatMap { decoder.received([$0]) }
        let back = InputEvent.key(Key(.backspace))
        #expect(
            events == [
                .text("ㄱ"), back, .text("고"), back, .text("공"), back, .text("고"), .text("야"), back, .text("양"),
            ]
        )
    }

    @Test func `bytes that are not valid UTF-8 are skipped`() {
        var decoder = InputDecoder()
        #expect(
            decoder.received([0xFF, 0xC0, 0xEA, 0xB3, 0x61, 0x80, 0xED, 0xA0, 0x80, 0x62]) == [.text("a"), .text("b")]
        )
        #expect(decoder.received([0xC2, 0x9B, 0x63]) == [.text("c")])
    }

    @Test func `a paste is limited in length`() {
        var decoder = InputDecoder()
        let fitting = String(repeating: "a", count: InputDecoder.pasteBytesMax)
        #expect(decoder.received("\u{1B}[200~\(fitting)\u{1B}[201~".utf8) == [.paste(fitting)])
        #expect(decoder.received("\u{1B}[200~\(fitting)b\u{1B}[201~x".utf8) == [.paste(fitting), .text("x")])
    }

    @Test func `an unterminated sequence is dropped at its maximum length`() {
        var decoder = InputDecoder()
        let digits = String(repeating: "1", count: InputDecoder.sequenceBytesMax - 2)
        #expect(decoder.received("\u{1B}[\(digits)".utf8) == [])
        #expect(decoder.received("x".utf8) == [.text("x")])
        #expect(decoder.received("\u{1B}[\(digits.dropLast())Ax".utf8) == [.text("x")])
    }

    @Test func `random bytes do not crash the decoder`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<300 {
            var decoder = InputDecoder()
            for _ in 0..<20 {
                _ = decoder.received((0..<9).map { _ in UInt8.random(in: 0...255, using: &random) })
                if Bool.random(using: &random) { _ = decoder.timedOut() }
            }
        }
    }
}
