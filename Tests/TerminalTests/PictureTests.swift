import TestSupport
import Testing

@testable import Terminal

struct PictureReaderTests {
    private static let symbols = "\u{1B}[0m\u{1B}[38;2;1;2;3;48;5;7m▄\u{1B}[0m \n\u{1B}[31;104m▀\u{1B}[7m█\u{1B}[0m\n"
    private static let kitty =
        "\u{1B}_Ga=T,f=32,s=1,v=2,c=1,r=1,m=1\u{1B}\\\u{1B}_Gm=1;AAEC\u{1B}\\"
        + "\u{1B}_Gm=1;AwQFBgc=\u{1B}\\\u{1B}_Gm=0\u{1B}\\\n"
    private static let all: [(GraphicsKind, String)] = [(.symbols, symbols), (.kitty, kitty)]

    private func read(_ kind: GraphicsKind, _ text: String, columns: Int = 8, rows: Int = 4) -> Picture? {
        let box = PictureBox(columns: columns, rows: rows)
        return PictureReader(kind, box, CellSize(width: 8, height: 12), number: 7).picture(Array(text.utf8))
    }

    @Test func `coloured characters become cells`() throws {
        let picture = try #require(read(.symbols, Self.symbols))
        #expect((picture.columns, picture.rows) == (2, 2))
        guard case .cells(let cells) = picture.content else { return }
        #expect(cells.map(\.text) == ["▄", " ", "▀", "█"])
        #expect(cells[0].look.front == .exact(red: 1, green: 2, blue: 3))
        #expect(cells[0].look.back == .palette(7))
        #expect(cells[1].look == .plain)
        #expect(cells[2].look.front == .palette(1) && cells[2].look.back == .palette(12))
        #expect(cells[3].look.isReversed)
    }

    @Test func `the size of graphics is computed from their pixels`() throws {
        #expect(read(.kitty, Self.kitty).map { [$0.columns, $0.rows] } == [1, 1])
        let number = try #require(read(.kitty, Self.kitty)).content
        guard case .graphics(let graphics) = number else { return }
        #expect(graphics.number == 7)
        #expect(graphics.parts.map { String(decoding: $0, as: UTF8.self) } == ["AAEC", "AwQFBgc="])
    }

    @Test func `a picture that is too large is refused`() {
        #expect(read(.symbols, Self.symbols, columns: 2, rows: 2) != nil)
        #expect(read(.symbols, Self.symbols, columns: 1) == nil)
        #expect(read(.symbols, Self.symbols, rows: 1) == nil)
    }

    @Test(arguments: [
        "a", "\u{1B}[2J▄", "▄\u{1B}[H", "▄\r", "▄\u{7}", "▄▄\n▄\n", "", "\n", "고", "\u{1B}[38;2;1mx", "\u{1B}[5m▄",
        "\u{1B}[1;1H▄", "\u{1B}]0;x\u{7}▄", "▄\u{1B}", "\u{1B}[38;5;256m▄", "\u{9B}2J▄", "\u{1B}[?25l▄",
    ])
    func `a picture with other characters or sequences is refused`(_ text: String) {
        #expect(read(.symbols, text) == nil)
    }

    @Test(arguments: [
        "\u{1B}_Ga=T,f=100,s=1,v=2,c=1,r=1,m=1\u{1B}\\", "\u{1B}_Ga=T,t=f,f=32,s=1,v=1,c=1,r=1,m=1\u{1B}\\",
        "\u{1B}_Ga=T,f=32,s=1,v=1,c=1,r=1,m=1\u{1B}\\\u{1B}_Gm=1;AAEC\u{1B}\\\u{1B}_Gm=0\u{1B}\\",
        "\u{1B}_Ga=T,f=32,s=1,v=1,c=1,r=1,m=1\u{1B}\\\u{1B}_Gm=1;AAECAw==\u{1B}\\\u{1B}_Gm=0\u{1B}\\\u{1B}[2J",
        "\u{1B}_Ga=T,f=32,s=1,v=1,c=1,r=1,m=1\u{1B}\\\u{1B}_Gm=1;AAECAw=!\u{1B}\\\u{1B}_Gm=0\u{1B}\\",
    ])
    func `output that is not exactly one picture is refused`(_ text: String) {
        #expect(read(.kitty, text) == nil)
    }

    @Test func `a randomly changed picture is refused or contains no control characters`() {
        var random = SeededGenerator(seed: testSeed())
        let bytes: [UInt8] = [0x1B, 0x07, 0x0A, 0x9B, 0x9C, 0x5C, 0x3B, 0x6D, 0x00, 0xFF, 0x20, 0x7E]
        for (kind, text) in Self.all {
            for _ in 0..<2000 {
                var changed = Array(text.utf8)
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let index = Int.random(in: 0..<changed.count, using: &random)
                    let byte = bytes.randomElement(using: &random) ?? 0x1B
                    if Bool.random(using: &random) { changed[index] = byte } else { changed.insert(byte, at: index) }
                }
                let box = PictureBox(columns: 8, rows: 4)
                let reader = PictureReader(kind, box, CellSize(width: 8, height: 12), number: 7)
                guard let picture = reader.picture(changed) else { continue }
                switch picture.content {
                case .cells(let cells):
                    #expect(cells.allSatisfy { $0.text.unicodeScalars.allSatisfy { $0 == " " || $0.value >= 0x2500 } })
                case .graphics(let graphics):
                    #expect(graphics.parts.joined().allSatisfy { (0x20..<0x7F).contains($0) })
                }
            }
        }
    }
}

struct GraphicsQueryTests {
    private func kind(_ bytes: String) -> GraphicsKind? {
        var query = GraphicsQuery()
        var decoder = InputDecoder()
        #expect(decoder.received(bytes.utf8) == [])
        return decoder.takeAnswers().compactMap { query.receive($0) }.last
    }

    @Test func `a terminal without a graphics protocol shows pictures as characters`() {
        #expect(kind("\u{1B}[?64;1;2;6c") == .symbols)
        // The answers are an error, a success for a different id, and a success without the device attributes.
        #expect(kind("\u{1B}_Gi=2147483647;ENOTSUP:x\u{1B}\\\u{1B}[?62c") == .symbols)
        #expect(kind("\u{1B}_Gi=1;OK\u{1B}\\\u{1B}[?62c") == .symbols)
        #expect(kind("\u{1B}_Gi=2147483647;OK\u{1B}\\") == nil)
    }

    @Test func `kitty's protocol is detected from the answer of the terminal`() {
        #expect(kind("\u{1B}_Gi=2147483647;OK\u{1B}\\\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}[?62;c") == .kitty)
    }

    @Test func `answers of the terminal are not keys, however the bytes are split`() {
        var decoder = InputDecoder()
        let bytes = Array("\u{1B}P>|\u{1}x\u{1B}\\a\u{1B}_Gi=2147483647;OK\u{1B}\\\u{1B}[?4cb".utf8)
        #expect(bytes.flatMap { decoder.received([$0]) } == [.text("a"), .text("b")])
        #expect(decoder.takeAnswers() == [.graphics(isKnown: true), .attributes])
        #expect(decoder.takeAnswers() == [])
    }

    @Test func `the number and size of answers from the terminal are limited`() {
        var decoder = InputDecoder()
        for _ in 0...InputDecoder.answersMax { _ = decoder.received("\u{1B}[?4c".utf8) }
        #expect(decoder.takeAnswers().count == InputDecoder.answersMax)
        let long = String(repeating: "x", count: InputDecoder.answerBytesMax)
        _ = decoder.received("\u{1B}_Gi=2147483647;\(long);OK\u{1B}\\".utf8)
        #expect(decoder.takeAnswers() == [.graphics(isKnown: false)])
    }

    @Test func `the Linux console and Apple's Terminal are not queried`() {
        #expect(GraphicsQuery.canBeSent { ["TERM": "xterm-256color"][$0] })
        #expect(!GraphicsQuery.canBeSent { ["TERM": "linux"][$0] })
        #expect(!GraphicsQuery.canBeSent { ["TERM": "xterm", "TERM_PROGRAM": "Apple_Terminal"][$0] })
    }
}
