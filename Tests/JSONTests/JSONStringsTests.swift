import CBytes
import JSON
import TestSupport
import Testing

@Suite("Strings to be written")
struct JSONStringsTests {
    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// What stands in twice the room after the copy, and how many bytes are said to be copied.
    private func copied(_ text: [UInt8], alignment: Int) -> (count: Int, room: [UInt8]) {
        let bytes = [UInt8](repeating: 0, count: alignment) + text + [UInt8](repeating: 0, count: 16)
        var room = [UInt8](repeating: 0xFF, count: text.count * 2)
        // The text lies in the bytes, and the room is there for all of it.
        let count = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe room.withUnsafeMutableBufferPointer { room in
                guard let from = bytes.baseAddress, let to = room.baseAddress else { return 0 }
                return unsafe bytes_copy_plain(to, from + alignment, text.count)
            }
        }
        return (count, room)
    }

    @Test func `as many bytes are copied as stand before the first to be escaped, at every length and alignment`() {
        var random = SeededGenerator(seed: testSeed())
        let kinds: [[UInt8]] = [Array(0x20...0x7E), Array(0x80...0xFF), Array(0...0xFF)]
        for length in 0...130 {
            for alignment in 0..<16 {
                let usual = kinds[alignment % 2]
                var text = (0..<length).map { _ in usual.randomElement(using: &random) ?? 0 }
                if length > 0, alignment % 4 < 3 {
                    text[Int.random(in: 0..<length, using: &random)] = kinds[2].randomElement(using: &random) ?? 0
                }
                let expected = text.prefix { !Self.mustBeEscaped($0) }
                let found = copied(text, alignment: alignment)
                #expect(found.count == expected.count, "\(text)")
                #expect(found.room.prefix(found.count) == expected, "\(text)")
                #expect(found.room.suffix(length).allSatisfy { $0 == 0xFF }, "nothing is written behind the room")
            }
        }
    }

    @Test func `every byte is copied or not, wherever it stands`() {
        for byte in UInt8.min...UInt8.max {
            for length in [1, 3, 4, 7, 8, 15, 16, 17, 31, 33] {
                for place in 0..<length {
                    var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    text[place] = byte
                    let count = copied(text, alignment: 0).count
                    if count != (Self.mustBeEscaped(byte) ? place : length) { Issue.record("\(byte) at \(place)") }
                }
            }
        }
    }

    @Test func `a control character is found wherever it stands, and nothing is taken for one`() {
        func holdsControl(_ text: [UInt8]) -> Bool {
            // The text is as long as is said, and read within the call.
            unsafe text.withUnsafeBufferPointer { text in
                guard let start = text.baseAddress else { return false }
                return unsafe bytes_hold_control(start, text.count)
            }
        }
        for byte in [0x00, 0x0A, 0x1F, 0x20, 0x7F, 0x80, 0xFF] as [UInt8] {
            for length in 1...200 {
                for place in [0, length / 2, length - 1] {
                    var text = [UInt8](repeating: 0xEA, count: length)
                    text[place] = byte
                    if holdsControl(text) != (byte < 0x20) { Issue.record("\(byte) at \(place) of \(length)") }
                }
            }
        }
    }

    @Test func `what must be escaped is, wherever it stands in a string`() throws {
        for character in ["\"", "\\", "\n", "\u{1}", "\u{7F}", "é"] {
            for length in 0..<70 {
                for place in [0, length / 3, length] {
                    let before = String(repeating: "한", count: place)
                    let text = before + character + String(repeating: "b", count: length - place) + character
                    var writer = JSONWriter()
                    writer.array { $0.string(text) }
                    #expect(try JSONDocument(writer.bytes).string(at: 1) == text)
                    #expect(writer.bytes.allSatisfy { $0 >= 0x20 })
                }
            }
        }
    }
}
