/// How many dots the data of a sixel graphics takes; pure.
enum SixelExtent {
    /// Dots of one sign.
    private static let bandHeight = 6

    /// Whether it is nothing but sixels, within so many dots.
    static func fits(_ data: ArraySlice<UInt8>, width: Int, height: Int) -> Bool {
        let bandsMax = (height + bandHeight - 1) / bandHeight
        var (bands, column) = (1, 0)
        var rest = data
        while let byte = rest.popFirst() {
            switch byte {
            case 0x3F...0x7E: column += 1
            case UInt8(ascii: "!"):
                guard let count = number(&rest), let dots = rest.popFirst(), (0x3F...0x7E).contains(dots) else {
                    return false
                }
                column += count
            case UInt8(ascii: "#"):
                guard isColour(&rest) else { return false }
            case UInt8(ascii: "$"): column = 0
            case UInt8(ascii: "-"):
                column = 0
                // The last band may have its end.
                if !rest.isEmpty { bands += 1 }
            default: return false
            }
            guard column <= width, bands <= bandsMax else { return false }
        }
        return true
    }

    /// The number of a colour, or five with its parts.
    private static func isColour(_ data: inout ArraySlice<UInt8>) -> Bool {
        var count = 0
        repeat {
            guard number(&data) != nil else { return false }
            count += 1
        } while count < 5 && data.popFirst(UInt8(ascii: ";"))
        return count == 1 || count == 5
    }

    private static func number(_ data: inout ArraySlice<UInt8>) -> Int? {
        let digits = data.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard 1...5 ~= digits.count else { return nil }
        data = data.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

extension ArraySlice<UInt8> {
    /// Takes a byte away; false when another one stands there.
    fileprivate mutating func popFirst(_ byte: UInt8) -> Bool {
        guard first == byte else { return false }
        removeFirst()
        return true
    }
}
