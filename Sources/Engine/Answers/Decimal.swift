/// Numbers with one decimal, written without allocation.
enum Decimal {
    /// Appends nanoseconds in tenths of a unit of which a second holds `perSecond`, rounded down: `12.3`.
    static func appendTenths(nanoseconds: Int64, perSecond: Int64, to output: inout [UInt8]) {
        let tenths = max(0, nanoseconds) / (100_000_000 / perSecond)
        append(tenths / 10, to: &output)
        output.append(UInt8(ascii: "."))
        output.append(UInt8(ascii: "0") + UInt8(tenths % 10))
    }

    private static func append(_ number: Int64, to output: inout [UInt8]) {
        if number >= 10 { append(number / 10, to: &output) }
        output.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
