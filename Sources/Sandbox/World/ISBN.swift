/// Book numbers: made-up ones with correct check digits, and the check.
enum ISBN {
    /// A 13-digit number out of nine digits, under the prefix 978.
    static func thirteen(body: Int) -> String {
        let digits = "978" + padded(body % 1_000_000_000, 9)
        let sum = zip(digits.utf8, 0...).reduce(0) { $0 + Int($1.0 - 48) * ($1.1 % 2 == 0 ? 1 : 3) }
        return digits + String((10 - sum % 10) % 10)
    }

    /// The 10-digit number of the same nine digits; its check digit may be an X.
    static func ten(body: Int) -> String {
        let digits = padded(body % 1_000_000_000, 9)
        let sum = zip(digits.utf8, 0...).reduce(0) { $0 + Int($1.0 - 48) * (10 - $1.1) }
        let check = (11 - sum % 11) % 11
        return digits + (check == 10 ? "X" : String(check))
    }

    /// The nine digits that both forms share; nil when the number is not a valid one under 978.
    static func body(of number: String) -> Int? {
        let plain = String(number.filter { $0 != "-" })
        let digits = plain.utf8.count == 13 ? plain.dropFirst(3).prefix(9) : plain.prefix(9)
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let body = Int(digits) else { return nil }
        return plain == thirteen(body: body) || plain.uppercased() == ten(body: body) ? body : nil
    }
}
