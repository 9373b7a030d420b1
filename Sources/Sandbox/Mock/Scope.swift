import HTTP
import JSON

/// Fills in templates: the one generator of everything that the mock server sends.
///
/// A name is looked up among the record's own values (`lets`), then the functions, then the variables of the request,
/// then the quirks. Chance depends only on the document and the member's place in the template.
struct Scope {
    let options: SandboxOptions
    let style: TextStyle
    var variables: [String: JSONValue]
    var lets: [String: Template] = [:]
    var record: Record?
    /// The records of the page, for `{column name}`.
    var records: [Record] = []

    /// One document while its templates are filled in; each of its `lets` is made once.
    final class Record {
        let document: Document
        let topic: Topic
        /// The document's number in URLs and the like.
        let serial: UInt64
        /// Decides the ISBN; twins share it.
        let isbnBody: Int
        var id: JSONValue = .null
        var values: [String: JSONValue] = [:]

        init(_ document: Document, topic: Topic, twins: Int) {
            self.document = document
            self.topic = topic
            serial = document.serial
            let index = twins > 0 && document.index % twins == 1 ? document.index - 1 : document.index
            var dice = Dice(topic.key, UInt64(bitPattern: Int64(index)), 0x15B4)
            isbnBody = topic.isbnBody ?? dice.roll(1_000_000_000)
        }
    }

    /// The value of a template outside of documents.
    func fill(_ template: Template) -> JSONValue { value(template, 0) ?? .null }

    func text(_ template: Template) -> String { fill(template).plainText }

    /// The value for one document.
    func fill(_ template: Template, for record: Record, only wanted: Set<Substring>? = nil) -> JSONValue {
        var scope = self
        scope.record = record
        guard let wanted, case .object(let members) = template else {
            return scope.value(template, record.serial) ?? .null
        }
        let kept = members.filter { wanted.contains($0.name[...]) }
        return scope.value(.object(kept), record.serial) ?? .null
    }

    /// nil when the value is missing.
    private func value(_ template: Template, _ seed: UInt64) -> JSONValue? {
        switch template {
        case .literal(let value): return value
        case .text(let pieces):
            if pieces.count == 1, case .call(let call) = pieces[0] { return self.value(of: call, Dice.mix(seed ^ 1)) }
            var text = ""
            for (index, piece) in pieces.enumerated() {
                switch piece {
                case .text(let literal): text += literal
                case .call(let call): text += value(of: call, Dice.mix(seed ^ UInt64(index + 1)))?.plainText ?? ""
                }
            }
            return .some(.string(text))
        case .object(let members):
            return .some(
                .object(
                    members.compactMap { member in
                        let own = Dice.mix(seed ^ member.key)
                        guard member.condition.map({ holds($0, own) }) ?? true else { return nil }
                        return value(member.value, own).map { JSONMember(member.name, $0) }
                    }
                )
            )
        case .array(let elements):
            return .some(
                .array(
                    elements.indices.compactMap { index in
                        value(elements[index], Dice.mix(seed ^ UInt64(index + 0xA0)))
                    }
                )
            )
        case .conditional(let condition, let then, let other):
            let own = Dice.mix(seed ^ 0x1F)
            return holds(condition, own) ? value(then, own) : other.flatMap { value($0, own) }
        case .pick(let choices, let same):
            var dice = Dice(same ? UInt64(record?.isbnBody ?? 0) : seed, 0x91C)
            return value(dice.pick(choices), Dice.mix(seed ^ 0x91C))
        case .repeated(let range, let element):
            var dice = Dice(seed, 0x4E9)
            return .some(
                .array(
                    (0..<dice.roll(range)).compactMap { index in
                        value(element, Dice.mix(seed ^ UInt64(index + 0xA0)))
                    }
                )
            )
        }
    }

    func holds(_ condition: Condition, _ seed: UInt64 = 0) -> Bool {
        condition.terms.allSatisfy { holds($0.term, seed) == $0.holds }
    }

    private func holds(_ term: Condition.Term, _ seed: UInt64) -> Bool {
        func text(_ name: String) -> String { self[name]?.plainText ?? "" }
        switch term {
        case .chance(let part, let whole):
            var dice = Dice(seed, 0xC4A)
            return dice.chance(part, of: whole)
        case .isSet(let name): return self[name]?.isSet ?? false
        case .equals(let name, let value): return text(name) == value
        case .contains(let name, let word): return text(name).split { $0 == "|" || $0 == "," }.contains { $0 == word }
        case .hasText(let name, let part): return text(name).contains(part)
        }
    }

    /// The value of a name; nil when nothing has it.
    subscript(name: String) -> JSONValue? {
        value(of: Template.Call(name: name), Dice.hash(name))
    }

    private func value(of call: Template.Call, _ seed: UInt64) -> JSONValue? {
        if let record, let template = lets[call.name] {
            if let value = record.values[call.name] { return value }
            guard let value = value(template, Dice.mix(record.serial ^ Dice.hash(call.name))) else { return .none }
            record.values[call.name] = value
            return value
        }
        if let function = call.function, let value = result(of: function, call, seed) { return value }
        if let value = variables[call.name] { return value }
        if let quirk = options.quirks.values[call.name] { return quirk }
        return call.fallback.map { .string($0) }
    }

    /// An argument that is a number, or the name of one.
    func number(_ argument: String) -> Int {
        Int(argument) ?? self[argument]?.int ?? 0
    }
}

/// How a source writes texts in which the words that were searched for are marked.
struct TextStyle: Sendable {
    var open = ""
    var close = ""
    var escape = MarkedText.Escape.html

    init(_ value: JSONValue?) {
        open = value?["open"]?.string ?? ""
        close = value?["close"]?.string ?? ""
        if value?["escape"]?.string == "hexadecimal" { escape = .hexadecimal }
    }
}
