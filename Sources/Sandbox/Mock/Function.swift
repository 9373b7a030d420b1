import HTTP
import JSON

/// The functions of templates; their arguments are numbers or names.
enum Function: String, CaseIterable, Sendable {
    /// By name; a dictionary is faster than `init(rawValue:)`, which compares with each name.
    static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Texts about the topic: `{title}`, `{snippet 2 4}` sentences, `{topic}`; each also `marked`, or `raw` for
    /// `{marked name}` and `{plain name}`.
    case title, snippet, topic, marked, plain
    case noun, adjective, town, person, company, genre, alias
    /// Names for machines: `{handle}`, `{letters 5 9}`, `{base64 11}`, `{digits 9}`.
    case handle, letters, base64, digits
    /// `{roll 1 6 *500 -1}`: a number from 1 to 6, times 500, minus 1. `{decimal 4 10 50}`: 4 to 10 times 0.50.
    case roll, decimal
    /// `{pick a|b|c}`; `{if condition a|b}`; `{scale x 9 10}`: x · 9 / 10; `{join a b}` with spaces.
    case pick
    case choose = "if"
    /// `{is condition}`: true or false.
    case holds = "is"
    case scale, join
    /// `{date +9 %Y-%m-%d}`: the document's date, hours from UTC; `{now +9 …}`; `{seconds}` since 1970; `{year}`.
    case date, now, seconds, year
    /// `{image 640 480}`, `{thumb 130 130 name}` of the URL under a name, `{art 100}`: pictures that the server has.
    case image, thumb, art, shot
    case isbn10, isbn13
    /// `{price cents}` and `{priceText cents}` in the money of `country`; `{currency}` and `{country3}`.
    case price, priceText, currency, country3
    /// The document's id, index, and a number for URLs.
    case id, index, number
    /// `{escaped name 190}`: at most so many characters, as HTML; `{encoded name}` and `{slug name}` for URLs;
    /// `{first name 4}` characters, `{after name 5}` characters; `{lower name}`; `{text name}` and `{integer name}`.
    case escaped, encoded, slug, first, after, lower, text, integer
    /// `{words}` of the topic, and what it is; `{column name}`: one value of each record.
    case words, isKorean, isISBN, column
}

extension Scope {
    /// The value of a function; nil where it has none, like those of documents outside of a document.
    func result(of function: Function, _ call: Template.Call, _ seed: UInt64) -> JSONValue? {
        var dice = Dice(seed)
        let arguments = call.arguments
        switch function {
        case .roll where arguments.count >= 2:
            var number = dice.roll(
                self.number(arguments[0])...max(self.number(arguments[0]), self.number(arguments[1]))
            )
            for step in arguments.dropFirst(2) {
                guard let operand = Int(step.dropFirst()) else { continue }
                number = step.hasPrefix("*") ? number * operand : number + (step.hasPrefix("-") ? -operand : operand)
            }
            return .integer(number)
        case .decimal where arguments.count == 3:
            return .hundredths(dice.roll(number(arguments[0])...number(arguments[1])) * number(arguments[2]))
        case .pick: return .string(dice.pick(call.choices))
        case .choose where call.choices.count == 2:
            return call.condition.map { .string(holds($0, seed) ? call.choices[0] : call.choices[1]) }
        case .holds: return call.condition.map { .bool(holds($0, seed)) }
        case .scale where arguments.count == 3:
            return .integer(number(arguments[0]) * number(arguments[1]) / number(arguments[2]))
        case .join:
            let parts = arguments.compactMap { self[$0]?.plainText }.filter { !$0.isEmpty }
            return .string(parts.joined(separator: " "))
        case .now:
            return .string(Timestamp(seconds: number("moment")).text(call.rest, hours: number(arguments.first ?? "")))
        case .escaped, .encoded, .slug, .first, .after, .lower, .text, .integer, .marked, .plain:
            guard let name = arguments.first, let text = self[name]?.plainText else { return .none }
            return changed(text, by: function, arguments.count > 1 ? number(arguments[1]) : .max)
        case .price: return price(number(arguments.first ?? ""))
        case .priceText: return .string(priceText(number(arguments.first ?? "")))
        case .currency: return .string(store.currency)
        case .country3: return .string(store.country)
        case .column:
            guard let name = arguments.first else { return .none }
            let template = Template(text: "{\(name)}")
            return .array(records.map { fill(template, for: $0) })
        default:
            guard let record else { return .none }
            return result(of: function, record, arguments, call.rest, &dice)
        }
    }

    /// The functions that change a text.
    private func changed(_ text: String, by function: Function, _ length: Int) -> JSONValue {
        let plain = MarkedText(raw: text).plain
        switch function {
        case .escaped: return .string(style.escape.apply(String(plain.prefix(length))))
        case .encoded: return .string(PercentEncoding.encode(plain))
        case .slug: return .string(PercentEncoding.encode(plain.replacing(" ", with: "_")))
        case .first: return .string(String(plain.prefix(length)))
        case .after: return .string(String(plain.dropFirst(length)))
        case .lower: return .string(plain.lowercased())
        case .integer: return .integer(Int(plain) ?? 0)
        case .marked: return .string(MarkedText(raw: text).rendered(style))
        default: return .string(plain)
        }
    }

    /// The functions that need a document.
    private func result(
        of function: Function,
        _ record: Record,
        _ arguments: [String],
        _ rest: String,
        _ dice: inout Dice
    ) -> JSONValue? {
        let words = Vocabulary.of(record.topic)
        let document = record.document
        switch function {
        case .title: return written(words.title(&dice, record.topic), arguments)
        case .topic: return written(record.topic.marked, arguments)
        case .snippet:
            let numbers = arguments.compactMap { Int($0) }
            let sentences = dice.roll((numbers.first ?? 2)...(numbers.last ?? 2))
            return written(words.snippet(&dice, record.topic, sentences: sentences), arguments)
        case .noun: return .string(dice.pick(words.nouns))
        case .adjective: return .string(dice.pick(words.adjectives))
        case .town: return .string(dice.pick(words.towns))
        case .person: return .string(dice.pick(words.people))
        case .company: return .string(dice.pick(words.companies))
        case .genre: return .string(dice.pick(words.genres))
        case .alias: return .string(dice.pick(words.names))
        case .handle: return .string(dice.text(dice.roll(5...10), of: .lowercase) + String(dice.roll(100)))
        case .letters: return .string(dice.text(dice.roll(number(arguments[0])...number(arguments[1])), of: .lowercase))
        case .base64: return .string(dice.text(number(arguments[0]), of: .base64URL))
        case .digits: return .string(dice.text(number(arguments[0]), of: .digits))
        case .date: return .string(document.date.text(rest, hours: number(arguments[0])))
        case .seconds: return .integer(document.date.seconds)
        case .year: return .integer(document.date.civil().year)
        case .image:
            return .string(Picture.image(options.base, record.serial, number(arguments[0]), number(arguments[1])))
        case .art:
            return .string(Picture.artwork(options.base, record.serial, number(arguments[0]), number(arguments[0])))
        case .shot:
            return .string(Picture.artwork(options.base, dice.next(), number(arguments[0]), number(arguments[1])))
        case .thumb:
            let original = self[arguments[2]]?.plainText ?? ""
            return .string(Picture.thumbnail(options.base, original, number(arguments[0]), number(arguments[1])))
        case .isbn10: return .string(ISBN.ten(body: record.isbnBody))
        case .isbn13: return .string(ISBN.thirteen(body: record.isbnBody))
        case .id: return record.id
        case .index: return .integer(document.index)
        case .number: return .integer(Int(record.serial % 1_000_000_007))
        case .words: return .strings(record.topic.words.map { $0.lowercased() })
        case .isKorean: return .bool(record.topic.isKorean)
        case .isISBN: return .bool(record.topic.isbnBody != nil)
        default: return .none
        }
    }

    private func written(_ text: MarkedText, _ arguments: [String]) -> JSONValue {
        switch arguments.last {
        case "marked": .string(text.rendered(style))
        case "raw": .string(text.raw)
        default: .string(text.plain)
        }
    }

    // MARK: Money

    private var store: Storefront { Storefront.of(variables["country"]?.string ?? "US") ?? .american }

    /// In the money of the country; won and yen have no hundredths.
    private func price(_ usual: Int) -> JSONValue {
        let cents = usual * (options.quirks.pricePercent as Int) / 100
        guard store.hasWholePrices else { return .hundredths(cents) }
        return .integer(cents * 13 / 1_000 * 1_000 / (store.currency == "JPY" ? 10 : 1))
    }

    private func priceText(_ cents: Int) -> String {
        if cents == 0 { return store.currency == "KRW" ? "무료" : "Free" }
        let signs = ["USD": "$", "KRW": "₩", "JPY": "¥", "GBP": "£"]
        let amount = price(cents).plainText
        return signs[store.currency].map { $0 + amount } ?? "\(amount) \(store.currency)"
    }
}

/// A country's store: its two- and three-letter codes and its money.
struct Storefront: Sendable {
    let code: String
    let country: String
    let currency: String

    static let american = Storefront(code: "US", country: "USA", currency: "USD")

    /// The store of a two-letter code, in any case; nil where there is none.
    static func of(_ code: String) -> Storefront? { all[code.uppercased()] }

    /// Prices in this money have no hundredths.
    var hasWholePrices: Bool { ["KRW", "JPY"].contains(currency) }

    private static let all: [String: Storefront] = {
        let parts = WorldFile.texts("stores").map { $0.split(separator: " ").map(String.init) }
        let stores = parts.map { Storefront(code: $0[0], country: $0[1], currency: $0[2]) }
        return Dictionary(uniqueKeysWithValues: stores.map { ($0.code, $0) })
    }()
}
