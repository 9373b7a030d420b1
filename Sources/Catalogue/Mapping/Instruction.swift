import HTTPMessage
import SearchModel

/// A step made ready: as `Step`, but its texts are in the tables, so that applying it counts no references.
enum Instruction: Sendable {
    /// Where a text of the source's file stands in the tables.
    typealias Operand = Range<Int>

    case html(marks: Bool)
    case entities
    case clean
    case date(DateFormat, zone: Int, precision: PublishedDate.Precision?)
    case number
    case divide(by: Double, whole: Bool)
    case within(ClosedRange<Double>)
    case bool
    case join(Operand)
    case split(Operand)
    case first
    case last
    case limit(Int)
    case url(base: Operand?)
    case secure
    case scheme
    case format(before: Operand, after: Operand)
    case after(Operand)
    case before(Operand)
    case trimPrefix(Operand)
    case trimSuffix(Operand)
    case replace(Operand, with: Operand)
    /// The name as it is encoded, with its `=`.
    case queryItem(Operand)
    /// A range of operands.
    case omit(Range<Int>)
    /// A range of operands: each text, and what it becomes.
    case map(Range<Int>, others: Bool)
    case isbn10
    case isbn13
    case encode
    case lowercase
    case uppercase

    /// Takes the step's texts into the tables.
    init(_ step: Step, _ tables: inout RuleTables) {
        switch step {
        case .html(let marks): self = .html(marks: marks)
        case .entities: self = .entities
        case .clean: self = .clean
        case .date(let format, let zone, let precision): self = .date(format, zone: zone, precision: precision)
        case .number: self = .number
        case .divide(let divisor, let whole): self = .divide(by: divisor, whole: whole)
        case .within(let range): self = .within(range)
        case .bool: self = .bool
        case .join(let text): self = .join(tables.operand(text))
        case .split(let text): self = .split(tables.operand(text))
        case .first: self = .first
        case .last: self = .last
        case .limit(let count): self = .limit(count)
        case .url(let base): self = .url(base: base.map { tables.operand($0) })
        case .secure: self = .secure
        case .scheme: self = .scheme
        case .format(let before, let after):
            self = .format(before: tables.operand(before), after: tables.operand(after))
        case .after(let text): self = .after(tables.operand(text))
        case .before(let text): self = .before(tables.operand(text))
        case .trimPrefix(let text): self = .trimPrefix(tables.operand(text))
        case .trimSuffix(let text): self = .trimSuffix(tables.operand(text))
        case .replace(let old, let new): self = .replace(tables.operand(old), with: tables.operand(new))
        case .queryItem(let name): self = .queryItem(tables.operand(PercentEncoding.encode(name) + "="))
        case .omit(let texts): self = .omit(tables.operands(texts))
        case .map(let table, let others): self = .map(tables.operands(table.flatMap { [$0, $1] }), others: others)
        case .isbn10: self = .isbn10
        case .isbn13: self = .isbn13
        case .encode: self = .encode
        case .lowercase: self = .lowercase
        case .uppercase: self = .uppercase
        }
    }
}
