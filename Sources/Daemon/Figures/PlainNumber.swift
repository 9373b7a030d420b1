/// Numbers as a person and a metrics parser both read them.
enum PlainNumber {
    /// Without an exponent, and without a fraction where there is none.
    static func text(_ number: Double) -> String {
        if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
        return String(number)
    }
}
