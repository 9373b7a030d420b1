import JSON

/// Iterates over the members of a cached hit, whose texts the ranking compares with the query.
struct MemberScan {
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound + 1
        end = range.upperBound
    }

    /// Returns the ranges of the next member's name and value, or nil at the end; ranges of strings exclude the quotes.
    mutating func next() -> (name: Range<Int>, value: Range<Int>)? {
        skip { $0 != UInt8(ascii: "\"") }
        guard offset < end else { return nil }
        let name = string()
        offset += 1
        guard offset < end else { return nil }
        return (name, bytes[offset] == UInt8(ascii: "\"") ? string() : value())
    }

    func holds(_ text: [UInt8], at range: Range<Int>) -> Bool {
        bytes[range].elementsEqual(text)
    }

    func text(at range: Range<Int>) -> String? {
        guard bytes[range].contains(UInt8(ascii: "\\")) else { return String(validated: bytes.span.extracting(range)) }
        let quoted = Array(bytes[range.lowerBound - 1...range.upperBound])
        return (try? JSONDocument(quoted))?.root.string
    }

    private mutating func string() -> Range<Int> {
        offset += 1
        let start = offset
        while offset < end, bytes[offset] != UInt8(ascii: "\"") {
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        let stop = min(offset, end)
        offset = stop + 1
        return start..<stop
    }

    private mutating func value() -> Range<Int> {
        let start = offset
        var depth = 0
        while offset < end {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                _ = string()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: return start..<offset
            default: break
            }
            offset += 1
        }
        return start..<end
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while offset < end, isSkipped(bytes[offset]) { offset += 1 }
    }
}
