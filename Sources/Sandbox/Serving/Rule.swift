import JSON

/// A check of a request, such as `{ number: "page", min: 1, max: 50, else: "badPage" }`.
struct Rule: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case fail
        case key
        /// Counts a call of `account` in the period `per`. Fails if the count exceeds the limit multiplied by `times`.
        case charge
        case length
        /// A number from `min` to `max`. `below` and `above` are the errors for smaller and larger numbers.
        ///
        /// With `clamp`, a number above `max` becomes `max`, and other invalid values become `default`.
        case number
        /// One of the words in `of`; without `of`, a sort order of the endpoint. The first word is the default.
        case choice
    }

    let kind: Kind
    let subject: String
    let text: Template
    let account: Template
    let condition: Condition?
    let error: String
    let words: [String]
    let period: Ledger.Period?
    private let members: JSONValue

    init(_ value: JSONValue) {
        guard let kind = (value.members ?? []).lazy.compactMap({ Kind(rawValue: $0.name) }).first else {
            preconditionFailure("a rule of unknown kind: \(value)")
        }
        self.kind = kind
        subject = value[kind.rawValue]?.string ?? ""
        text = Template(text: subject)
        account = Template(text: value["account"]?.string ?? "")
        condition = value["if"]?.string.map { Condition($0[...]) }
        error = value[kind == .fail ? "fail" : "else"]?.string ?? ""
        words = (value["of"]?.array ?? []).map(\.plainText)
        period = kind == .charge ? Ledger.Period(value["per"]?.string ?? "") : nil
        members = value
    }

    subscript(name: String) -> JSONValue? { members[name] }
}

extension Exchange {
    mutating func check(_ rules: [Rule], in world: inout World) -> String? {
        for rule in rules {
            if let condition = rule.condition, !generator.holds(condition) { continue }
            if let error = check(rule, in: &world) { return error }
        }
        return nil
    }

    private mutating func check(_ rule: Rule, in world: inout World) -> String? {
        let value = variables[rule.subject]?.plainText ?? ""
        let holds: Bool
        switch rule.kind {
        case .fail: holds = false
        case .key: holds = world.options.keys.all(api.keys).contains(generator.text(rule.text))
        case .charge: holds = charge(rule, in: &world)
        case .length:
            holds = value.count >= number(rule, "min") ?? 0 && value.utf8.count <= number(rule, "max") ?? .max
        case .number: return checkNumber(rule)
        case .choice:
            let words = rule.words.isEmpty ? (endpoint?.sorts ?? []).map(\.name) : rule.words
            let chosen = variables[rule.subject]?.plainText ?? words.first ?? ""
            variables[rule.subject] = .string(chosen)
            holds = words.isEmpty || words.contains(chosen)
        }
        return holds ? nil : rule.error
    }

    private func number(_ rule: Rule, _ name: String) -> Int? {
        rule[name].flatMap { $0.int ?? variables[$0.plainText]?.int }
    }

    private mutating func checkNumber(_ rule: Rule) -> String? {
        let (least, most) = (number(rule, "min") ?? .min, number(rule, "max") ?? .max)
        let usual = number(rule, "default") ?? least
        let given = variables[rule.subject].map { Int($0.plainText) } ?? usual
        if rule["clamp"] != nil {
            variables[rule.subject] = .integer(given.map { $0 < least ? usual : min($0, most) } ?? usual)
            return nil
        }
        guard let given else { return rule.error }
        if given > most { return rule["above"]?.string ?? rule.error }
        if given < least { return rule["below"]?.string ?? rule.error }
        variables[rule.subject] = .integer(given)
        return nil
    }

    private mutating func charge(_ rule: Rule, in world: inout World) -> Bool {
        guard let limit = world.options.limits[dynamicMember: rule.subject], let period = rule.period else {
            return true
        }
        let allowed = limit * (rule["times"]?.int ?? 1)
        let account = "\(rule.subject) \(generator.text(rule.account))"
        let used = world.ledger.charge(account, per: period, at: instant)
        (variables["quotaUsed"], variables["quotaLimit"]) = (.integer(used), .integer(allowed))
        return used <= allowed
    }
}
