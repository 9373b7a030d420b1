import RPC
import TestSupport
import Testing

struct LineFramerTests {
    static let inputs = [
        "", "\n", "\r\n", "\n\n\n", "a\n", "a", "a\r", "a\r\n", "\ra\n", "a\r\r\n", "a\nb\nc\n", "a\r\nb\nc",
        "\n\na\n\n", "{\"id\":1}\n{\"id\":2}\r\n\r\n{\"id\":3}", "고양이\n", " \n", "a\rb\n", "\r", "\n\r", "a\n\r\nb\r",
    ]

    @Test(arguments: inputs, [false, true])
    func `the lines do not depend on the division into chunks`(text: String, pauses: Bool) {
        let input = Array(text.utf8)
        let expected = Framing.expectedLines(of: input)
        #expect(Framing.lines(of: input, cutAt: [], pauses: pauses) == expected)
        #expect(Framing.lines(of: input, cutAt: Array(input.indices), pauses: pauses) == expected)
        for cut in input.indices {
            #expect(Framing.lines(of: input, cutAt: [cut], pauses: pauses) == expected)
        }
    }

    @Test func `random bytes in random chunks have the expected lines`() {
        var random = SeededGenerator(seed: testSeed())
        let alphabet: [UInt8] = [UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "a"), 0xEA, 0]
        for _ in 0..<300 {
            let input = (0..<Int.random(in: 0...200, using: &random)).compactMap { _ in
                alphabet.randomElement(using: &random)
            }
            let cuts = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                Int.random(in: 0...input.count, using: &random)
            }.sorted()
            let expected = Framing.expectedLines(of: input)
            #expect(Framing.lines(of: input, cutAt: cuts) == expected)
            #expect(Framing.lines(of: input, cutAt: cuts, pauses: true) == expected)
        }
    }

    @Test(arguments: ["\n", "\r\n", "", "\r"], [false, true])
    func `a line at the limit is accepted, and one byte more is too long`(end: String, pauses: Bool) {
        let longest = [UInt8](repeating: UInt8(ascii: "x"), count: LineFramer.lineBytesMax)
        let ending = Array(end.utf8)
        for line in [longest, longest + [UInt8(ascii: "x")], longest + Array("xyz".utf8)] {
            let input = Array("first\n".utf8) + line + ending
            let expected = Framing.expectedLines(of: input)
            #expect(expected == [.text("first"), line == longest ? .line(longest) : .tooLong])
            #expect(Framing.lines(of: input, cutAt: [], pauses: pauses) == expected)
            let aroundTheLimit = Array(LineFramer.lineBytesMax - 4 + 6..<input.count)
            #expect(Framing.lines(of: input, cutAt: aroundTheLimit, pauses: pauses) == expected)
        }
    }

    @Test(arguments: [false, true])
    func `a line that is too long is reported once, and the next lines are read`(pauses: Bool) {
        var random = SeededGenerator(seed: testSeed())
        let tooLong = [UInt8](repeating: UInt8(ascii: "x"), count: 2 * LineFramer.lineBytesMax + 7)
        let input = Array("a\n".utf8) + tooLong + Array("\nb\r\n".utf8) + tooLong + Array("\r\n\nc\n".utf8) + tooLong
        let expected: [FramedLine] = [.text("a"), .tooLong, .text("b"), .tooLong, .text("c"), .tooLong]
        for _ in 0..<10 {
            let cuts = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                Int.random(in: 0...input.count, using: &random)
            }.sorted()
            #expect(Framing.lines(of: input, cutAt: cuts, pauses: pauses) == expected)
        }
    }

    @Test func `a line is reported and dropped as soon as it is too long`() {
        var framing = Framing()
        framing.consume([UInt8](repeating: UInt8(ascii: "x"), count: LineFramer.lineBytesMax + 1))
        #expect(framing.lines.isEmpty)
        #expect(framing.framer.pendingBytes == LineFramer.lineBytesMax + 1)
        framing.consume([UInt8(ascii: "x")])
        #expect(framing.lines == [.tooLong])
        #expect(framing.framer.pendingBytes == 0)
        framing.consume([UInt8](repeating: UInt8(ascii: "x"), count: LineFramer.lineBytesMax))
        #expect(framing.framer.pendingBytes == 0)
        framing.finish()
        #expect(framing.lines == [.tooLong])
    }

    @Test func `a paused framer keeps the remaining bytes until it is resumed`() {
        var framer = LineFramer()
        var seen: [String] = []
        let visit: LineFramer.Visitor = { line in
            // The line is copied during the visit.
            seen.append(unsafe line.map { unsafe String(decoding: $0, as: UTF8.self) } ?? "too long")
            return .pause
        }
        // The arrays are valid during the calls.
        unsafe Array("one\ntwo\nthr".utf8).withUnsafeBytes { unsafe framer.consume($0, visit: visit) }
        #expect(seen == ["one"])
        #expect(framer.pendingBytes == 7)
        unsafe framer.resume(visit: visit)
        #expect(seen == ["one", "two"])
        unsafe framer.resume(visit: visit)
        #expect(seen == ["one", "two"])
        #expect(framer.pendingBytes == 3)
        unsafe Array("ee\n".utf8).withUnsafeBytes { unsafe framer.consume($0, visit: visit) }
        #expect(seen == ["one", "two", "three"])
        #expect(framer.isEmpty)
    }

    @Test func `an incomplete line at the end of the input is returned once`() {
        var framing = Framing()
        framing.consume(Array("half".utf8))
        framing.finish()
        framing.finish()
        #expect(framing.lines == [.text("half")])
        #expect(framing.framer.isEmpty)
    }
}

/// A line that the framer has returned, or a report that a line is too long.
enum FramedLine: Equatable {
    case line([UInt8])
    case tooLong

    static func text(_ text: String) -> FramedLine { .line(Array(text.utf8)) }
}

/// Sends chunks to a framer, as a connection does, and copies each line.
struct Framing {
    /// Whether the framer pauses at every line and is then resumed.
    var pauses = false
    private(set) var framer = LineFramer()
    private(set) var lines: [FramedLine] = []

    mutating func consume(_ bytes: some Collection<UInt8>) {
        let chunk = Array(bytes)
        unsafe drive { framer, visit in
            // The chunk is valid during the call.
            unsafe chunk.withUnsafeBytes { unsafe framer.consume($0, visit: visit) }
        }
    }

    mutating func finish() {
        // The lines are copied during the call.
        unsafe drive { framer, visit in unsafe framer.finish(visit: visit) }
    }

    private mutating func drive(_ step: (inout LineFramer, LineFramer.Visitor) -> Void) {
        var came: [FramedLine] = []
        let demand: LineFramer.VisitResult = pauses ? .pause : .more
        let visit: LineFramer.Visitor = { line in
            came.append(unsafe line.map { unsafe .line(Array($0)) } ?? .tooLong)
            return demand
        }
        // The visitor copies its argument.
        unsafe step(&framer, visit)
        var before = 0
        while pauses, came.count > before {
            before = came.count
            unsafe framer.resume(visit: visit)
        }
        lines += came
    }

    static func lines(of input: [UInt8], cutAt cuts: [Int], pauses: Bool = false) -> [FramedLine] {
        var framing = Framing(pauses: pauses)
        var start = 0
        for cut in cuts + [input.count] {
            framing.consume(input[start..<cut])
            start = cut
        }
        framing.finish()
        return framing.lines
    }

    static func expectedLines(of input: [UInt8]) -> [FramedLine] {
        input.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let trimmed = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if trimmed.isEmpty { return nil }
            return trimmed.count > LineFramer.lineBytesMax ? .tooLong : .line(Array(trimmed))
        }
    }
}
