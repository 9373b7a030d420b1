import Glibc

/// A line cut at its id, without reading it as JSON.
///
/// Two lines that are alike but for their ids are both well formed or both not; so what was learned from reading the
/// first one holds for the second. Only lines that begin as most clients write them are cut: for all others the way
/// through the JSON reader is fast enough.
package struct RepeatedLine {
    /// A longer id takes the ordinary way.
    package static let idBytesMax = 64

    private static let beginnings: [StaticString] = ["{\"jsonrpc\":\"2.0\",\"id\":", "{\"jsonrpc\": \"2.0\", \"id\": "]

    /// The id as it is written: an integer, or a string of plain ASCII.
    package let id: Range<Int>
    /// Everything after the id; never empty, and begins with a comma.
    package let rest: Range<Int>

    /// Nil when the line does not begin in one of the usual ways.
    package init?(_ line: UnsafeRawBufferPointer) {
        guard let start = unsafe Self.beginning(of: line), let end = unsafe Self.endOfID(in: line, from: start),
            end < line.count, unsafe line[end] == UInt8(ascii: ",")
        else { return nil }
        id = start..<end
        rest = end..<line.count
    }

    private static func beginning(of line: UnsafeRawBufferPointer) -> Int? {
        guard let base = line.baseAddress else { return nil }
        for text in beginnings where line.count > text.utf8CodeUnitCount {
            // Both sides hold at least as many bytes as are compared; a StaticString's live for ever.
            if unsafe memcmp(base, text.utf8Start, text.utf8CodeUnitCount) == 0 { return text.utf8CodeUnitCount }
        }
        return nil
    }

    private static func endOfID(in line: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let limit = min(line.count, start + idBytesMax)
        guard start < limit else { return nil }
        let first = unsafe line[start]
        if first == UInt8(ascii: "\"") {
            var end = start + 1
            while end < limit, unsafe isPlain(line[end]) { end += 1 }
            return unsafe end < limit && line[end] == UInt8(ascii: "\"") ? end + 1 : nil
        }
        guard isDigit(first), first != UInt8(ascii: "0") else { return nil }
        var end = start + 1
        while end < limit, unsafe isDigit(line[end]) { end += 1 }
        return end
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    /// ASCII that a JSON string holds as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte &- 0x20 < 0x5F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
