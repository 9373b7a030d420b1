import JSON
import SearchModel

/// Reads the smaller parts of a source file.
extension Declared {
    /// Reads `{name: template}`; a list of templates means the first that can be filled.
    func parameters() throws(CatalogueError) -> [Parameter] {
        var parameters: [Parameter] = []
        for (name, value) in try members() {
            let templates = all(part(try value.oneOrMore()), Template.init)
            parameters.append(Parameter(name: name, templates: templates))
        }
        return parameters
    }

    /// Reads header fields; rejects fields that the transport sets.
    func headers() throws(CatalogueError) -> [Parameter] {
        for (name, value) in try members() {
            if name.isEmpty || !name.utf8.allSatisfy(Self.isTokenByte) {
                value.note("\u{201C}\(name)\u{201D} is not a valid header name", hint: "Use letters, digits and -.")
            }
            if Self.transportHeaders.contains(name.lowercased()) {
                value.note("is set by the transport", hint: "Leave \(name) out.")
            }
        }
        return try parameters()
    }

    private static let transportHeaders = [
        "accept-encoding", "connection", "content-length", "content-type", "expect", "host", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    package func duration() throws(CatalogueError) -> Duration {
        let text = try string("a duration such as 30s, 10m or 7d")
        guard let duration = DurationText.duration(text) else {
            throw error("\u{201C}\(text)\u{201D} is not a valid duration", hint: "Write 500ms, 30s, 10m, 6h or 7d.")
        }
        return duration
    }

    /// Reads `+09:00` and returns minutes east of UTC.
    func zone() throws(CatalogueError) -> Int {
        let text = try string("a zone such as +09:00")
        if text == "Z" { return 0 }
        let parts = text.dropFirst().split(separator: ":")
        guard parts.count == 2, let sign = text.first, sign == "+" || sign == "-", let hours = Int(parts[0]),
            let minutes = Int(parts[1]), (0...14).contains(hours), (0...59).contains(minutes)
        else { throw error("\u{201C}\(text)\u{201D} is not a valid zone", hint: "Write it as +09:00, -05:00 or Z.") }
        return (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
    }

    func limits() throws(CatalogueError) -> Limits {
        let object = try fields(["perSecond", "burst", "perDay", "concurrency"])
        return Limits(
            perSecond: optional(try object["perSecond"]?.double(in: 0.0001...10_000)),
            burst: optional(try object["burst"]?.integer(in: 1...10_000)),
            perDay: optional(try object["perDay"]?.integer(in: 1...1_000_000_000)),
            concurrency: optional(try object["concurrency"]?.integer(in: 1...1000))
        )
    }

    func quota() throws(CatalogueError) -> Quota {
        let object = try fields(["name", "limit", "per", "for", "resetsAt", "zone"])
        let periods = Quota.Period.allCases.map { ($0.rawValue, $0) }
        let scopes = Quota.Scope.allCases.map { ($0.rawValue, $0) }
        let name = part(try object.required("name").string())
        let limit = part(try object.required("limit").integer(in: 1...1_000_000_000_000))
        let period = part(try object.required("per").word(periods))
        let scope = optional(try object["for"]?.word(scopes)) ?? .account
        let resetMinute = optional(try object["resetsAt"]?.minuteOfDay()) ?? 0
        let zone = optional(try object["zone"]?.resetZone()) ?? .fixed(minutes: 0)
        guard let name, let limit, let period else { throw spoiled }
        return Quota(name: name, limit: limit, period: period, scope: scope, resetMinute: resetMinute, zone: zone)
    }

    func quotas() throws(CatalogueError) -> [Quota] {
        all(try list()) { quota throws(CatalogueError) in try quota.quota() }
    }

    private func minuteOfDay() throws(CatalogueError) -> Int {
        let text = try string("a time such as 00:00")
        let parts = text.split(separator: ":")
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour),
            (0...59).contains(minute)
        else { throw error("\u{201C}\(text)\u{201D} is not a valid time", hint: "Write it as 00:00.") }
        return hour * 60 + minute
    }

    private func resetZone() throws(CatalogueError) -> ResetZone {
        node.string == "pacific" ? .pacific : .fixed(minutes: try zone())
    }

    func optionSpecs() throws(CatalogueError) -> [OptionSpec] {
        var specs: [OptionSpec] = []
        for (name, value) in try members() {
            if let spec = part(try value.optionSpec(name)) { specs.append(spec) }
        }
        return specs
    }

    private func optionSpec(_ name: String) throws(CatalogueError) -> OptionSpec {
        let object = try fields([
            "type", "values", "min", "max", "on", "off", "of", "bytes", "default", "about",
        ])
        let defaultValue = optional(try object["default"]?.string())
        let about = optional(try object["about"]?.string())
        return OptionSpec(name: name, type: try valueType(object), defaultValue: defaultValue, about: about)
    }

    private func valueType(_ object: DeclaredObject) throws(CatalogueError) -> OptionSpec.ValueType {
        let types = ["choice", "integer", "flag", "text"]
        switch try object.required("type").word(types.map { ($0, $0) }) {
        case "choice": return .choice(try object.required("values").strings())
        case "integer":
            let low = try object.required("min").integer(in: -1_000_000_000...1_000_000_000)
            let high = try object.required("max").integer(in: low...1_000_000_000)
            return .integer(low...high)
        case "flag":
            let on = optional(try object["on"]?.string()) ?? "true"
            return .flag(on: on, off: optional(try object["off"]?.string()) ?? "false")
        default:
            let alphabets = OptionSpec.Alphabet.allCases.map { ($0.rawValue, $0) }
            let bounds = optional(try object["bytes"]?.byteRange()) ?? 1...OptionSpec.textBytesMax
            return .text(bytes: bounds, of: optional(try object["of"]?.word(alphabets)) ?? .any)
        }
    }

    private func byteRange() throws(CatalogueError) -> ClosedRange<Int> {
        let ends = try list()
        guard ends.count == 2 else { throw error("is not a pair", hint: "Write [shortest, longest].") }
        let low = try ends[0].integer(in: 0...OptionSpec.textBytesMax)
        return low...(try ends[1].integer(in: low...OptionSpec.textBytesMax))
    }

    func paging() throws(CatalogueError) -> Paging {
        let object = try fields(["style", "first", "last", "size", "pagesMax"])
        let size = part(try object.required("size").integer(in: 1...1000))
        let first = optional(try object["first"]?.integer(in: 0...1))
        let last = optional(try object["last"]?.integer(in: 1...1_000_000_000))
        let pagesMax = optional(try object["pagesMax"]?.integer(in: 1...1_000_000))
        let word = part(try object.required("style").word([("page", 0), ("item", 1), ("single", 2)]))
        guard let size, let word else { throw spoiled }
        let style: Paging.Style =
            switch word {
            case 0: .page(first: first ?? 1)
            case 1: .item(first: first ?? 0, last: last)
            default: .single
            }
        return Paging(style: style, size: size, pagesMax: pagesMax)
    }

    func queryRules() throws(CatalogueError) -> QueryRules {
        let object = try fields(["charactersMin", "charactersMax", "refused"])
        let longest = SearchQuery.bytesMax
        return QueryRules(
            charactersMin: optional(try object["charactersMin"]?.integer(in: 1...100)) ?? 1,
            charactersMax: optional(try object["charactersMax"]?.integer(in: 1...longest)) ?? longest,
            refused: optional(try object["refused"]?.strings()) ?? []
        )
    }

    /// Reads the source's word for each sort order; an empty word omits the parameter.
    func sorts() throws(CatalogueError) -> [Sort: String] {
        let object = try fields(Sort.allCases.map(\.rawValue))
        _ = part(try object.required("relevance"))
        var words: [Sort: String] = [:]
        for sort in Sort.allCases { words[sort] = optional(try object[sort.rawValue]?.anyString()) }
        return words
    }
}
