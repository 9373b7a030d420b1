import JSON

/// Replaces the placeholders in templates with values of the record, of `lets` or of the request.
struct Generator {
    let style: TextStyle
    var lets: [String: [Template.Member]]
    var variables: [String: JSONValue]
    let base: String
    let pricePercent: Int

    /// A document and its values, which `lookUp` computes at their first use.
    final class Record {
        let document: Document
        let vocabulary: Vocabulary
        let isbn: Int
        var values: [String: JSONValue]

        init(_ document: Document, _ topic: Topic, id: Int) {
            self.document = document
            vocabulary = topic.isKorean ? .korean : .english
            var dice = Dice(topic.key, UInt64(bitPattern: Int64(document.index)), 0x15B4)
            isbn = dice.roll(0...999_999_999)
            values = [
                "id": .integer(id), "index": .integer(document.index), "topic": .string(topic.marked),
                "number": .integer(Int(document.serial % 1_000_000_007)), "isKorean": .bool(topic.isKorean),
                "seconds": .integer(document.date.seconds), "year": .integer(document.date.civil().year),
            ]
        }
    }

    func fill(_ template: Template, _ record: Record? = nil) -> JSONValue {
        value(template, record, record?.document.serial ?? 0).map(plain) ?? .null
    }

    func text(_ template: Template, _ record: Record? = nil) -> String { fill(template, record).plainText }

    func value(_ template: Template, _ record: Record?, _ seed: UInt64) -> JSONValue? {
        switch template {
        case .literal(let value): return value
        case .text(let pieces):
            if pieces.count == 1, case .call(let call) = pieces[0] {
                return value(of: call, record, Dice.mix(seed ^ 1))
            }
            var text = ""
            for (index, piece) in pieces.enumerated() {
                switch piece {
                case .text(let literal): text += literal
                case .call(let call):
                    text += value(of: call, record, Dice.mix(seed ^ UInt64(index + 1)))?.plainText ?? ""
                }
            }
            return .some(.string(text))
        case .object(let members):
            var filled: [JSONMember] = []
            filled.reserveCapacity(members.count)
            for member in members where filled.last?.name != member.name {
                guard let value = value(member.value, record, Dice.mix(seed ^ member.key)) else { continue }
                filled.append(JSONMember(member.name, plain(value)))
            }
            return .some(.object(filled))
        case .array(let elements):
            return .some(
                .array(
                    elements.indices.compactMap { index in
                        value(elements[index], record, Dice.mix(seed ^ UInt64(index + 0xA0))).map(plain)
                    }
                )
            )
        case .conditional(let condition, let then):
            return holds(condition, record, seed) ? value(then, record, seed) : .none
        }
    }

    private func plain(_ value: JSONValue) -> JSONValue {
        if case .string(let text) = value { .string(TextStyle.plain(text)) } else { value }
    }

    func holds(_ condition: Condition, _ record: Record? = nil, _ seed: UInt64 = 0) -> Bool {
        condition.terms.allSatisfy { term, expected in
            let holds =
                switch term {
                case .chance(let part, let whole):
                    Dice.mix(seed ^ 0xC4A) % UInt64(whole) < part
                case .isSet(let name): lookUp(name, record)?.isSet ?? false
                case .equals(let name, let text): lookUp(name, record)?.plainText ?? "" == text
                case .contains(let name, let text): lookUp(name, record)?.plainText.contains(text) ?? false
                }
            return holds == expected
        }
    }

    func lookUp(_ name: String, _ record: Record?) -> JSONValue? {
        if let value = record?.values[name] { return value }
        for alternative in lets[name] ?? [] {
            let seed = Dice.mix((record?.document.serial ?? 0) ^ alternative.key)
            guard let value = value(alternative.value, record, seed) else { continue }
            record?.values[name] = value
            return value
        }
        return variables[name]
    }

    private func value(of call: Template.Call, _ record: Record?, _ seed: UInt64) -> JSONValue? {
        let value =
            if let function = call.function {
                result(of: function, call, record, seed)
            } else {
                lookUp(call.name, record) ?? call.fallback.map { .string($0) }
            }
        guard let change = call.change, let text = value?.plainText else { return value }
        switch change {
        case .marked: return .string(style.marked(text))
        case .escaped: return .string(style.marked(TextStyle.plain(text)))
        case .lower: return .string(text.lowercased())
        case .text: return .string(text)
        case .base36: return .string(String(Int(text) ?? 0, radix: 36))
        }
    }

    func number(_ argument: String, _ record: Record?) -> Int {
        Int(argument) ?? lookUp(argument, record)?.int ?? 0
    }
}
