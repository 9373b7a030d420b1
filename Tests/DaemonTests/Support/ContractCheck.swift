import JSON
import RPC
import SearchModel

/// Checks messages of the daemon against the schemas of `rpc.discover`.
struct ContractCheck {
    static let whole = ContractCheck(Discovery.document(version: Version.program, methods: MethodDescription.all))

    private let document: JSONValue
    private let results: [String: JSONValue]
    private let notifications: [String: JSONValue]

    init(_ document: JSONValue) {
        self.document = document
        func schemas(_ list: String, _ schema: (JSONValue) -> JSONValue?) -> [String: JSONValue] {
            let named = (document[list]?.array ?? []).map { ($0["name"]?.string ?? "", schema($0) ?? nil) }
            return Dictionary(named, uniquingKeysWith: { first, _ in first })
        }
        results = schemas("methods") { $0["result"]?["schema"] }
        notifications = schemas("x-notifications") { $0["params"] }
    }

    /// If `method` is nil, the result of a response is not checked.
    func problems(in message: JSONValue, to method: String? = nil) -> [String] {
        // Methods that tests add are not in the document.
        if (message["method"]?.string ?? method)?.hasPrefix("test/") == true { return [] }
        if let notification = message["method"]?.string {
            guard let schema = notifications[notification] else { return ["\(notification) is not described"] }
            return problems(message["params"] ?? nil, schema, at: notification)
        }
        if let error = message["error"] {
            return problems(error, ["$ref": "#/components/schemas/error"], at: "error")
        }
        guard let method, let result = message["result"] else { return [] }
        guard let schema = results[method] else { return ["\(method) is not described"] }
        return problems(result, schema, at: method)
    }

    func problems(_ value: JSONValue, _ schema: JSONValue, at path: String) -> [String] {
        (schema.members ?? []).flatMap { keyword -> [String] in
            switch (keyword.name, keyword.value) {
            case ("description", _), ("default", _), ("additionalProperties", _): []
            case ("$ref", .string(let reference)): problems(value, target(of: reference), at: path)
            case ("anyOf", .array(let schemas)):
                schemas.contains { problems(value, $0, at: path).isEmpty }
                    ? [] : ["\(path) matches none of \(schemas.count) schemas"]
            case ("type", .string(let type)): isOf(type, value) ? [] : ["\(path) is not of type \(type)"]
            case ("enum", .array(let words)): words.contains(value) ? [] : ["\(path) is \(value)"]
            case ("minimum", .number(let least)):
                value.double ?? 0 >= least.double ? [] : ["\(path) is too small"]
            case ("maximum", .number(let most)): value.double ?? 0 <= most.double ? [] : ["\(path) is too large"]
            case ("items", let element):
                (value.array ?? []).enumerated().flatMap { problems($0.element, element, at: "\(path)[\($0.offset)]") }
            case ("required", .array(let names)):
                names.compactMap(\.string).filter { value[$0] == nil }.map { "\(path).\($0) is missing" }
            case ("properties", let properties):
                problems(value, properties, others: schema["additionalProperties"], path)
            default: ["\(path): unknown keyword \(keyword.name)"]
            }
        }
    }

    private func problems(
        _ object: JSONValue,
        _ properties: JSONValue,
        others: JSONValue?,
        _ path: String
    ) -> [String] {
        (object.members ?? []).flatMap { member in
            let path = "\(path).\(member.name)"
            if let schema = properties[member.name] { return problems(member.value, schema, at: path) }
            guard let others, others != false else { return ["\(path) is not described"] }
            return problems(member.value, others, at: path)
        }
    }

    private func target(of reference: String) -> JSONValue {
        reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? nil }
    }

    private func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch type {
        case "object": value.members != nil
        case "array": value.array != nil
        case "string": value.string != nil
        case "boolean": value.bool != nil
        case "number": value.number != nil
        case "integer": value.int != nil
        case "null": value.isNull
        default: false
        }
    }
}
