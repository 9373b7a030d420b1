import JSON
import SearchModel

/// Reads the smaller parts of a source file.
extension Declared {
    /// `{name: template}`, where a list of templates means the first that can be filled.
    func parameters() throws(CatalogueError) -> [Parameter] {
        var parameters: [Parameter] = []
        for (name, value) in try members() {
            var templates: [Template] = []
            for template in try value.oneOrMore() { templates.append(try Template(template)) }
            parameters.append(Parameter(name: name, templates: templates))
        }
        return parameters
    }

    /// Header fields, without those that belong to the transport.
    func headers() throws(CatalogueError) -> [Parameter] {
        for (name, value) in try members() {
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
                throw value.error("\u{201C}\(name)\u{201D} is no header", hint: "use letters, digits and -")
            }
            guard !Self.transportHeaders.contains(name.lowercased()) else {
                throw value.error("is set by the transport", hint: "leave \(name) out")
            }
        }
        return try parameters()
    }

    private static let transportHeaders = [
        "accept-encoding", "connection", "content-length", "content-type", "expect", "host", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    func limits() throws(CatalogueError) -> Limits {
        let object = try object(["perSecond", "burst", "perDay", "concurrency"])
        return Limits(
            perSecond: try object["perSecond"]?.double(in: 0.0001...10_000),
            burst: try object["burst"]?.integer(in: 1...10_000),
            perDay: try object["perDay"]?.integer(in: 1...1_000_000_000),
            concurrency: try object["concurrency"]?.integer(in: 1...1000)
        )
    }

    func quota() throws(CatalogueError) -> Quota {
        let object = try object(["name", "limit", "per", "for", "resetsAt", "zone"])
        let periods = Quota.Period.allCases.map { ($0.rawValue, $0) }
        let scopes = Quota.Scope.allCases.map { ($0.rawValue, $0) }
        return Quota(
            name: try object.required("name").string(),
            limit: try object.required("limit").integer(in: 1...1_000_000_000_000),
            period: try object.required("per").word(periods),
            scope: try object["for"]?.word(scopes) ?? .account,
            resetMinute: try object["resetsAt"]?.minuteOfDay() ?? 0,
            zone: try object["zone"]?.resetZone() ?? .fixed(minutes: 0)
        )
    }

    func quotas() throws(CatalogueError) -> [Quota] {
        var quotas: [Quota] = []
        for quota in try list() { quotas.append(try quota.quota()) }
        return quotas
    }

    private func minuteOfDay() throws(CatalogueError) -> Int {
        let text = try string("a time such as 00:00")
        let parts = text.split(separator: ":")
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour),
            (0...59).contains(minute)
        else { throw error("\u{201C}\(text)\u{201D} is no time", hint: "write it as 00:00") }
        return hour * 60 + minute
    }

    private func resetZone() throws(CatalogueError) -> ResetZone {
        node.string == "pacific" ? .pacific : .fixed(minutes: try zone())
    }

    func optionSpecs() throws(CatalogueError) -> [OptionSpec] {
        var specs: [OptionSpec] = []
        for (name, value) in try members() { specs.append(try value.optionSpec(name)) }
        return specs
    }

    private func optionSpec(_ name: String) throws(CatalogueError) -> OptionSpec {
        let object = try object(["type", "values", "min", "max", "on", "off", "of", "bytes", "default", "about"])
        let types = ["choice", "integer", "flag", "text"]
        let type: OptionSpec.ValueType
        switch try object.required("type").word(types.map { ($0, $0) }) {
        case "choice": type = .choice(try object.required("values").strings())
        case "integer":
            let low = try object.required("min").integer(in: -1_000_000_000...1_000_000_000)
            let high = try object.required("max").integer(in: low...1_000_000_000)
            type = .integer(low...high)
        case "flag":
            type = .flag(on: try object["on"]?.string() ?? "true", off: try object["off"]?.string() ?? "false")
        default:
            let alphabets = OptionSpec.Alphabet.allCases.map { ($0.rawValue, $0) }
            let bounds = try object["bytes"]?.byteRange() ?? 1...OptionSpec.textBytesMax
            type = .text(bytes: bounds, of: try object["of"]?.word(alphabets) ?? .any)
        }
        return OptionSpec(
            name: name,
            type: type,
            defaultValue: try object["default"]?.string(),
            about: try object["about"]?.string()
        )
    }

    private func byteRange() throws(CatalogueError) -> ClosedRange<Int> {
        let ends = try list()
        guard ends.count == 2 else { throw error("has not two ends", hint: "write [shortest, longest]") }
        let low = try ends[0].integer(in: 0...OptionSpec.textBytesMax)
        return low...(try ends[1].integer(in: low...OptionSpec.textBytesMax))
    }

    func paging() throws(CatalogueError) -> Paging {
        let object = try object(["style", "first", "last", "size", "pagesMax"])
        let size = try object.required("size").integer(in: 1...1000)
        let first = try object["first"]?.integer(in: 0...1)
        let style: Paging.Style
        switch try object.required("style").word([("page", 0), ("item", 1), ("single", 2)]) {
        case 0: style = .page(first: first ?? 1)
        case 1: style = .item(first: first ?? 0, last: try object["last"]?.integer(in: 1...1_000_000_000))
        default: style = .single
        }
        return Paging(style: style, size: size, pagesMax: try object["pagesMax"]?.integer(in: 1...1_000_000))
    }

    func queryRules() throws(CatalogueError) -> QueryRules {
        let object = try object(["charactersMin", "charactersMax", "refused"])
        return QueryRules(
            charactersMin: try object["charactersMin"]?.integer(in: 1...100) ?? 1,
            charactersMax: try object["charactersMax"]?.integer(in: 1...SearchQuery.bytesMax) ?? SearchQuery.bytesMax,
            refused: try object["refused"]?.strings() ?? []
        )
    }

    /// The source's word for each order; an empty one leaves the parameter out.
    func sorts() throws(CatalogueError) -> [Sort: String] {
        let object = try object(Sort.allCases.map(\.rawValue))
        _ = try object.required("relevance")
        var words: [Sort: String] = [:]
        for sort in Sort.allCases { words[sort] = try object[sort.rawValue]?.anyString() }
        return words
    }
}
