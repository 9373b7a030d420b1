/// Numbers, rewritten in JSON's grammar so that no other code has to read JSON5's.
extension JSON5Reader {
    mutating func number() throws(JSON5Error) -> JSONNumber {
        var text = ""
        if here == "+" || here == "-" {
            text = here == "-" ? "-" : ""
            advance()
            if here == "I" || here == "N" { throw error("Infinity and NaN are not accepted as numbers") }
        }
        if here == "0", peek(1) == "x" || peek(1) == "X" {
            text += try hexadecimalInteger()
        } else {
            text += try decimal()
        }
        if let follower = here, follower.properties.isAlphabetic || follower == "_" || follower == "$" {
            throw error("this does not belong to a number; text needs quotes")
        }
        return JSONNumber(validatedText: text)
    }

    private mutating func decimal() throws(JSON5Error) -> String {
        let start = error("a digit is missing")
        let whole = digits()
        if whole.utf8.count > 1, whole.utf8.first == UInt8(ascii: "0") {
            throw JSON5Error(line: start.line, column: start.column, "a number must not begin with a zero")
        }
        var text = whole.isEmpty ? "0" : whole
        var fraction = ""
        if here == "." {
            advance()
            fraction = digits()
        }
        guard !whole.isEmpty || !fraction.isEmpty else { throw start }
        if !fraction.isEmpty { text += "." + fraction }
        if here == "e" || here == "E" {
            text += "e"
            advance()
            if let sign = here, sign == "+" || sign == "-" {
                text.unicodeScalars.append(sign)
                advance()
            }
            let exponent = digits()
            guard !exponent.isEmpty else { throw error("a digit is missing") }
            text += exponent
        }
        return text
    }

    private mutating func digits() -> String {
        var digits = String.UnicodeScalarView()
        while let digit = here, ("0"..."9").contains(digit) {
            digits.append(digit)
            advance()
        }
        return String(digits)
    }

    /// The decimal digits of what is written in hexadecimal, of 64 bits at most.
    private mutating func hexadecimalInteger() throws(JSON5Error) -> String {
        let start = error("a hexadecimal number has more than 64 bits")
        advance()
        advance()
        var value = UInt64(try hexadecimal(digits: 1))
        while let scalar = here, scalar.isASCII, let digit = UInt8(ascii: scalar).hexValue {
            guard value >> 60 == 0 else { throw start }
            value = value << 4 | UInt64(digit)
            advance()
        }
        return String(value)
    }
}
