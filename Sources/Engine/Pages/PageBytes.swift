/// Writes numbers, texts and bytes one after the other, for `PageBytesReader`.
struct PageBytesWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving count: Int = 0) {
        bytes.reserveCapacity(count)
    }

    /// Seven bits a byte, the lowest first.
    mutating func number(_ number: Int) {
        var rest = UInt64(bitPattern: Int64(number))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// A number, or that there is none.
    mutating func optional(_ value: Int?) {
        number(value == nil ? 0 : 1)
        if let value { number(value) }
    }

    mutating func flag(_ isSet: Bool) { number(isSet ? 1 : 0) }

    mutating func text(_ text: String) {
        number(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func blob(_ blob: [UInt8]) {
        number(blob.count)
        bytes.append(contentsOf: blob)
    }

    mutating func range(_ range: Range<Int>) {
        number(range.lowerBound)
        number(range.count)
    }

    /// Ends it with a sum over all before, by which damage is found.
    mutating func seal() {
        var sum = Self.sum(bytes[...])
        for _ in 0..<Self.sumBytes {
            bytes.append(UInt8(truncatingIfNeeded: sum))
            sum >>= 8
        }
    }

    static let sumBytes = 8

    static func sum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        // The slice's bytes live through the call.
        unsafe bytes.withUnsafeBytes { unsafe ByteChecks.checksum(of: $0) }
    }
}

/// Reads what a `PageBytesWriter` wrote; nil for whatever else it meets.
struct PageBytesReader {
    private var rest: ArraySlice<UInt8>

    /// Nil when the sum is not right.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= PageBytesWriter.sumBytes else { return nil }
        let body = bytes.dropLast(PageBytesWriter.sumBytes)
        let sum = bytes.suffix(PageBytesWriter.sumBytes).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard sum == PageBytesWriter.sum(body) else { return nil }
        rest = body
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() -> Int? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64, let byte = rest.popFirst() {
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(Int64(bitPattern: number)) }
            shift += 7
        }
        return nil
    }

    mutating func optional() -> Int?? {
        switch number() {
        case 0: .some(nil)
        case 1: number().map { .some($0) }
        default: nil
        }
    }

    mutating func flag() -> Bool? {
        switch number() {
        case 0: false
        case 1: true
        default: nil
        }
    }

    mutating func text() -> String? {
        blob().flatMap { String(validating: $0, as: UTF8.self) }
    }

    mutating func blob() -> [UInt8]? {
        guard let count = number(), (0...rest.count).contains(count) else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// A range within so many bytes.
    mutating func range(within bytes: Int) -> Range<Int>? {
        guard let start = number(), let count = number(), (0...bytes).contains(start),
            (0...bytes - start).contains(count)
        else { return nil }
        return start..<start + count
    }
}
