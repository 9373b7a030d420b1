/// One line of a response's head, read.
enum HeadLine: Equatable {
    /// The end of a head.
    case blank
    case status(Int)
    case field(name: String, value: String)
    case malformed

    /// Reads a line with or without its end of line; bytes that are no UTF-8 are repaired in the value.
    init(_ line: Span<UInt8>) {
        let text = Self.trimmed(0..<line.count, of: line) { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        if text.isEmpty {
            self = .blank
        } else if Self.begins(line, with: "HTTP/") {
            self = Self.status(of: line, in: text).map(HeadLine.status) ?? .malformed
        } else {
            self = Self.field(of: line, in: text) ?? .malformed
        }
    }

    /// `HTTP/1.1 200 OK` and `HTTP/2 200`: three digits between blanks.
    private static func status(of line: Span<UInt8>, in text: Range<Int>) -> Int? {
        guard let blank = text.first(where: { line[$0] == UInt8(ascii: " ") }) else { return nil }
        let end = blank + 4
        guard end <= text.upperBound, end == text.upperBound || line[end] == UInt8(ascii: " ") else { return nil }
        var status = 0
        for index in (blank + 1)..<end {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(line[index]) else { return nil }
            status = status * 10 + Int(line[index] - UInt8(ascii: "0"))
        }
        return status >= 100 ? status : nil
    }

    /// A name, a colon, a value between blanks.
    ///
    /// A line that begins with a blank (folding, long forbidden) is no field.
    private static func field(of line: Span<UInt8>, in text: Range<Int>) -> HeadLine? {
        let colon = text.first { line[$0] == UInt8(ascii: ":") }
        guard let colon, colon > text.lowerBound else { return nil }
        let name = text.lowerBound..<colon
        guard name.allSatisfy({ line[$0] > 0x20 && line[$0] < 0x7F }) else { return nil }
        let value = trimmed((colon + 1)..<text.upperBound, of: line) { $0 == 0x20 || $0 == UInt8(ascii: "\t") }
        return .field(name: string(name, of: line), value: string(value, of: line))
    }

    private static func begins(_ line: Span<UInt8>, with prefix: String) -> Bool {
        guard line.count >= prefix.utf8.count else { return false }
        return zip(line.indices, prefix.utf8).allSatisfy { line[$0] == $1 }
    }

    private static func trimmed(
        _ range: Range<Int>,
        of line: Span<UInt8>,
        _ isBlank: (UInt8) -> Bool
    ) -> Range<Int> {
        var range = range
        while let last = range.last, isBlank(line[last]) { range.removeLast() }
        while let first = range.first, isBlank(line[first]) { range.removeFirst() }
        return range
    }

    private static func string(_ range: Range<Int>, of line: Span<UInt8>) -> String {
        // The buffer is valid for the closure, and the string copies it.
        unsafe line.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
