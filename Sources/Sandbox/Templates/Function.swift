import JSON

/// The functions that templates can call.
///
/// An argument is a number or the name of a value.
enum Function: String, Sendable {
    /// `{title}` is a headline, and `{snippet 2 4}` is two to four sentences.
    case title, snippet
    case noun, adjective, town, person, company, genre, alias
    /// `{letters 5 9}` is five to nine random letters, and `{digits 9}` is nine random digits.
    case letters, digits
    /// `{roll 1 6 *500 -1}` is a random number from 1 to 6, times 500, minus 1. `{decimal …}` is a roll divided by 100.
    case roll, decimal
    /// `{pick a|b|c}` is one of the texts at random, and `{scale x 9 10}` is x · 9 / 10.
    case pick, scale
    /// `{if condition a|b}` is `a` if the condition is true, otherwise `b`.
    case choose = "if"
    case holds = "is"
    /// `{date +9 %Y-%m-%d}` is the date of the document at UTC+9, and `{now +9 …}` is the time of the request.
    case date, now
    /// `{image 640 480}`, `{art 100 100}` and `{thumb 130 130 name}` are URLs of pictures.
    case image, art, thumb
    case isbn10, isbn13
    /// `{price cents}` is a number, `{priceText cents}` a text, and `{currency}` the currency of `country`.
    case price, priceText, currency
}

extension Generator {
    func result(of function: Function, _ call: Template.Call, _ record: Record?, _ seed: UInt64) -> JSONValue? {
        var dice = Dice(seed)
        let arguments = call.arguments
        func number(_ index: Int) -> Int { self.number(arguments[index], record) }
        switch function {
        case .roll: return .integer(rolled(arguments, record, &dice))
        case .decimal: return .hundredths(rolled(arguments, record, &dice))
        case .letters: return .string(dice.text(dice.roll(number(0)...number(1)), of: Self.letters))
        case .digits: return .string(dice.text(number(0), of: Self.digits))
        case .pick: return .string(dice.pick(call.choices))
        case .choose: return call.condition.map { .string(call.choices[holds($0, record, seed) ? 0 : 1]) }
        case .holds: return call.condition.map { .bool(holds($0, record, seed)) }
        case .scale: return .integer(number(0) * number(1) / number(2))
        case .now: return .string(Timestamp(seconds: self.number("moment", nil)).text(call.rest, hours: number(0)))
        case .price: return price(number(0))
        case .priceText: return .string(priceText(number(0)))
        case .currency: return .string(store?.currency ?? "USD")
        default: return record.flatMap { result(of: function, arguments, call.rest, $0, &dice) }
        }
    }

    private func result(
        of function: Function,
        _ arguments: [String],
        _ rest: String,
        _ record: Record,
        _ dice: inout Dice
    ) -> JSONValue? {
        let words = record.vocabulary
        func number(_ index: Int) -> Int { self.number(arguments[index], record) }
        switch function {
        case .title: return value(dice.pick(words.titles), record, dice.next())
        case .snippet:
            let sentences = (0..<dice.roll(number(0)...number(1))).map { _ in
                value(dice.pick(words.sentences), record, dice.next())?.plainText ?? ""
            }
            return .string(sentences.joined(separator: ". ") + "...")
        case .date: return .string(record.document.date.text(rest, hours: number(0)))
        case .image, .art, .thumb:
            let (name, size) = (String(record.document.serial, radix: 36), "\(number(0))x\(number(1))")
            if function == .image { return .string("\(base)/_sandbox/image/\(name)-\(size).png") }
            if function == .art { return .string("\(base)/_sandbox/art/\(name)/\(size)bb.jpg") }
            let original = PercentEncoding.encode(lookUp(arguments[2], record)?.plainText ?? "")
            return .string("\(base)/_sandbox/thumb/R\(size).q85/?fname=\(original)")
        case .isbn10: return .string(Self.isbn10(record.isbn))
        case .isbn13: return .string(Self.isbn13(record.isbn))
        default: return words.words[function].map { .string(dice.pick($0)) }
        }
    }

    private static let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    private static let digits = Array("0123456789".utf8)

    private func rolled(_ arguments: [String], _ record: Record?, _ dice: inout Dice) -> Int {
        let (least, most) = (number(arguments[0], record), number(arguments[1], record))
        return arguments.dropFirst(2).reduce(dice.roll(least...max(least, most))) { number, step in
            let operand = Int(step.dropFirst()) ?? 0
            return step.hasPrefix("*") ? number * operand : number - operand
        }
    }

    private static func isbn13(_ body: Int) -> String {
        let digits = "978" + padded(body, 9)
        let sum = zip(digits.utf8, 0...).reduce(0) { $0 + Int($1.0 - 48) * ($1.1 % 2 == 0 ? 1 : 3) }
        return digits + String((10 - sum % 10) % 10)
    }

    private static func isbn10(_ body: Int) -> String {
        let digits = padded(body, 9)
        let sum = zip(digits.utf8, 0...).reduce(0) { $0 + Int($1.0 - 48) * (10 - $1.1) }
        let check = (11 - sum % 11) % 11
        return digits + (check == 10 ? "X" : String(check))
    }

    private var store: Storefront? { Storefront(variables["country"]?.string ?? "US") }

    /// Won and yen have no hundredths.
    private func price(_ usual: Int) -> JSONValue {
        let cents = usual * pricePercent / 100
        switch store?.currency {
        case "KRW": return .integer(cents * 13 / 1_000 * 1_000)
        case "JPY": return .integer(cents * 13 / 1_000 * 100)
        default: return .hundredths(cents)
        }
    }

    private func priceText(_ cents: Int) -> String {
        let isKorean = store?.currency == "KRW"
        if cents == 0 { return isKorean ? "무료" : "Free" }
        return (isKorean ? "₩" : "$") + price(cents).plainText
    }
}

struct Storefront: Sendable {
    let currency: String

    private static let currencies = [
        "CN": "CNY", "DE": "EUR", "FR": "EUR", "GB": "GBP", "JP": "JPY", "KR": "KRW", "TW": "TWD", "US": "USD",
    ]

    init?(_ code: String) {
        guard let currency = Self.currencies[code.uppercased()] else { return nil }
        self.currency = currency
    }
}
