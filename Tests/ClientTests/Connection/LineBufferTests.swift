import TestSupport
import Testing

@testable import Client

struct LineBufferTests {
    private func drain(_ buffer: inout LineBuffer) throws -> [String] {
        var lines: [String] = []
        while let line = try buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        return lines
    }

    @Test func `lines come out as they were, however they came in`() throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<300 {
            let lines = (0..<Int.random(in: 0...20, using: &random)).map { number in
                "\(number)" + String(repeating: "가", count: Int.random(in: 0...30, using: &random))
            }
            var bytes = Array(lines.map { $0 + (Bool.random(using: &random) ? "\n" : "\r\n") }.joined().utf8)[...]
            var buffer = LineBuffer(bytesMax: 1000)
            var read: [String] = []
            while !bytes.isEmpty {
                let chunk = bytes.prefix(Int.random(in: 1...50, using: &random))
                bytes = bytes.dropFirst(chunk.count)
                buffer.append(chunk)
                read += try drain(&buffer)
            }
            #expect(read == lines)
            #expect(!buffer.hasUnfinishedLine)
        }
    }

    @Test func `empty lines are passed over and an unfinished one is kept`() throws {
        var buffer = LineBuffer(bytesMax: 10)
        buffer.append("\n\r\na\n\nb".utf8)
        #expect(try drain(&buffer) == ["a"])
        #expect(buffer.hasUnfinishedLine)
        buffer.append("c\n".utf8)
        #expect(try drain(&buffer) == ["bc"])
    }

    @Test func `a line may be as long as its limit and no longer`() throws {
        for end in ["\n", "\r\n"] {
            var buffer = LineBuffer(bytesMax: 10)
            buffer.append(("0123456789" + end).utf8)
            #expect(try drain(&buffer) == ["0123456789"])
            buffer.append(("0123456789x" + end).utf8)
            #expect(throws: ClientError.self) { try buffer.next() }
        }
    }

    @Test func `a line past the limit is refused before it ends`() {
        var buffer = LineBuffer(bytesMax: 10)
        buffer.append("0123456789xx".utf8)
        #expect(throws: ClientError.self) { try buffer.next() }
    }
}
