import JSON

/// Numbers with one decimal, written without allocation.
enum Decimal {
    /// The most bytes one takes.
    static let bytesMax = ByteRoom.digitsMax + 2

    /// Nanoseconds in tenths of a unit of which a second holds `perSecond`, rounded down: `12.3`.
    static func writeTenths(nanoseconds: Int64, perSecond: Int64, to room: inout ByteRoom) {
        let tenths = max(0, nanoseconds) / (100_000_000 / perSecond)
        room.digits(of: tenths / 10)
        room.byte(UInt8(ascii: "."))
        room.digits(of: tenths % 10)
    }

    /// Appends the same.
    static func appendTenths(nanoseconds: Int64, perSecond: Int64, to output: inout [UInt8]) {
        output.append(atMost: bytesMax) { writeTenths(nanoseconds: nanoseconds, perSecond: perSecond, to: &$0) }
    }
}
