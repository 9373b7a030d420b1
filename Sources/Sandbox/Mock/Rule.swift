import HTTP
import JSON

/// One check of a request: `{ number: "page", min: 1, max: 50, default: 1, above: "pageTooLarge", else: "badNumber" }`.
///
/// The member that names the kind has the subject. `else` is the error's name; `if` a condition for the check.
struct Rule: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        /// Some endpoint has the path.
        case path
        /// The method is one of these.
        case method
        /// The header exists; `after` this prefix it becomes the variable `as`.
        case header
        /// The variable is set; it consists of `count` hexadecimal digits.
        case require, hex
        /// The text is among the keys `of` the options, or is not.
        case key, notKey
        /// Counts the call in every account of the list; each has `limit`, `account`, `per` and perhaps `times`.
        case charge
        /// Fails once in so many calls, as the quirk says.
        case luck
        /// The parameters are well-formed; one has words; one is at least `min` characters or at most `bytes` long; one
        /// is not the word `word`.
        case wellFormed, words, length, forbid
        /// The parameter is a number from `min` (else `below`) to `max` (else `above`), or is brought there by `clamp`.
        case number
        /// The parameter is one `of` some words, by default the endpoint's sorts; the first one is the default.
        case choice
        /// Takes operators like `intitle:` from a parameter; the words become `text`, the operator `scope`.
        case operators
        /// Lists of comparisons; of whole numbers with a `separator`.
        case filters, integers
        /// The parameter is a country; an entity of the API's table.
        case country, entity
        /// Sets variables.
        case set
    }

    let kind: Kind
    let subject: Template
    let options: [String: Template]
    let condition: Condition?
    /// The words of a choice, and the charges.
    let words: [String]
    let charges: [[String: Template]]

    init(_ value: JSONValue) {
        let members = value.members ?? []
        guard let kind = members.lazy.compactMap({ Kind(rawValue: $0.name) }).first, let subject = value[kind.rawValue]
        else { preconditionFailure("a rule of no known kind: \(value)") }
        self.kind = kind
        self.subject = Template(subject)
        options = Self.templates(kind == .set ? subject : value)
        condition = value["if"]?.string.map { Condition($0) }
        words = (value["of"]?.array ?? []).map(\.plainText)
        charges = kind == .charge ? (subject.array ?? []).map(Self.templates) : []
    }

    private static func templates(_ value: JSONValue) -> [String: Template] {
        Dictionary(uniqueKeysWithValues: (value.members ?? []).map { ($0.name, Template($0.value)) })
    }
}

extension Exchange {
    /// Runs rules in order; returns the name of the first error.
    mutating func check(_ rules: [Rule], in world: inout World) -> String? {
        for rule in rules {
            if let condition = rule.condition, !scope.holds(condition) { continue }
            if let error = check(rule, in: &world) { return error }
        }
        return nil
    }

    private mutating func check(_ rule: Rule, in world: inout World) -> String? {
        let subject = scope.text(rule.subject)
        let value = variables[subject]?.plainText
        let holds: Bool
        switch rule.kind {
        case .path: holds = isPathKnown
        case .method: holds = subject.split(separator: " ").contains(request.method[...])
        case .header: holds = takeHeader(subject, rule)
        case .require: holds = value?.isEmpty == false
        case .hex:
            let digits = Array((value ?? "").utf8)
            holds = digits.count == option(rule, "count")?.int && digits.allSatisfy("0123456789abcdef".utf8.contains)
        case .key: holds = world.options.keys.all(text(rule, "of")).contains(subject)
        case .notKey: holds = !world.options.keys.all(text(rule, "of")).contains(subject)
        case .charge: holds = charge(rule, in: &world)
        case .luck:
            let odds = world.options.quirks.values[subject]?.int ?? 0
            holds = odds == 0 || !world.dice.chance(1, of: odds)
        case .wellFormed: holds = !parameters.isMalformed
        case .words: holds = !Topic(value ?? "").words.isEmpty
        case .length:
            guard let text = value else { return nil }
            holds = text.count >= option(rule, "min")?.int ?? 0 && text.utf8.count <= option(rule, "bytes")?.int ?? .max
        case .forbid: holds = value?.lowercased() != text(rule, "word")
        case .number: return number(subject, rule)
        case .choice:
            let words = rule.words.isEmpty ? (endpoint?.search?.sorts ?? []).map(\.word) : rule.words
            variables[subject] = .string(value ?? words.first ?? "")
            holds = words.isEmpty || words.contains(variables[subject]?.plainText ?? "")
        case .operators:
            takeOperators(value ?? "", rule)
            holds = true
        case .filters: holds = NumericFilter.list(value ?? "") != nil
        case .integers:
            holds = (value ?? "").split(separator: Character(text(rule, "separator"))).allSatisfy { Int($0) != nil }
        case .country:
            variables[subject] = .string((value ?? "US").uppercased())
            holds = Storefront.of(value ?? "US") != nil
        case .entity: holds = value == nil || api.entities?.find(nil, value) != nil
        case .set:
            for (name, template) in rule.options { variables[name] = scope.fill(template) }
            holds = true
        }
        return holds || rule.options["else"] == nil ? nil : text(rule, "else")
    }

    private func option(_ rule: Rule, _ name: String) -> JSONValue? {
        rule.options[name].map { scope.fill($0) }
    }

    private func text(_ rule: Rule, _ name: String) -> String {
        option(rule, name)?.plainText ?? ""
    }

    private mutating func takeHeader(_ name: String, _ rule: Rule) -> Bool {
        let prefix = text(rule, "after")
        guard let value = request.fields[name], value.hasPrefix(prefix), !value.isEmpty else { return false }
        if rule.options["as"] != nil { variables[text(rule, "as")] = .string(String(value.dropFirst(prefix.count))) }
        return true
    }

    private mutating func number(_ name: String, _ rule: Rule) -> String? {
        let given = variables[name].map { Int($0.plainText) } ?? option(rule, "default")?.int ?? 0
        let (least, most) = (option(rule, "min")?.int ?? .min, option(rule, "max")?.int ?? .max)
        if rule.options["clamp"] != nil {
            let usual = option(rule, "default")?.int ?? least
            variables[name] = .integer(given.map { $0 < least ? usual : min($0, most) } ?? usual)
            return nil
        }
        guard let number = given else { return text(rule, "else") }
        if number > most { return text(rule, rule.options["above"] == nil ? "else" : "above") }
        if number < least { return text(rule, rule.options["below"] == nil ? "else" : "below") }
        variables[name] = .integer(number)
        return nil
    }

    /// The words of a query without operators and excluded words, and the first operator.
    private mutating func takeOperators(_ typed: String, _ rule: Rule) {
        var scope = rule.words.first ?? ""
        let words = typed.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix("-") }.map { word in
            guard let colon = word.firstIndex(of: ":"), case let name = String(word[..<colon]),
                rule.words.contains(name)
            else { return word }
            if scope == rule.words.first { scope = name }
            return word[word.index(after: colon)...]
        }
        variables["text"] = .string(words.joined(separator: " "))
        variables["scope"] = .string(scope)
    }

    /// Counts the call everywhere, also where it is beyond the limit.
    private mutating func charge(_ rule: Rule, in world: inout World) -> Bool {
        var isWithin = true
        for charge in rule.charges {
            let texts = charge.mapValues { scope.fill($0) }
            guard let limit = world.options.limits.values[texts["limit"]?.plainText ?? ""] else { continue }
            let allowed = limit * (texts["times"]?.int ?? 1)
            let period = Ledger.Period(texts["per"]?.plainText ?? "", seed: world.options.seed)
            let account = "\(api.name) \(texts["account"]?.plainText ?? "")"
            let used = world.ledger.charge(account, per: period, at: instant)
            (variables["quotaUsed"], variables["quotaLimit"]) = (.integer(used), .integer(allowed))
            if used > allowed { isWithin = false }
        }
        return isWithin
    }
}
