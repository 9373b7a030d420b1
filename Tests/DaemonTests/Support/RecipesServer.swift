import EventLoop
import HTTP
import JSON
import TestSupport

/// A server for the example source of the guide.
///
/// Some queries have special responses.
final class RecipesServer: Sendable {
    static let total = 57
    static let pageSizeMax = 20

    let key: String
    private let server: RawServer
    private let asked: Locked<[String]>

    var base: String { "http://127.0.0.1:\(server.port)" }
    var targets: [String] { asked.withLock { $0 } }

    init() throws {
        let (key, asked) = (randomKey(), Locked<[String]>([]))
        (self.key, self.asked) = (key, asked)
        server = try RawServer { connection in
            while case let head = connection.readHead(), !head.isEmpty {
                let target = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                asked.withLock { $0.append(target) }
                let isKnown = head.contains("Authorization: Bearer \(key)\r\n")
                let (status, type, body) = isKnown ? Self.answer(to: target, key) : Self.refusal(of: head)
                connection.answer(body, status: "\(status) X", fields: "Content-Type: \(type)\r\n")
            }
        }
    }

    private typealias Answer = (status: Int, type: String, body: String)

    private static func json(_ status: Int, _ body: JSONValue) -> Answer {
        (status, "application/json", String(decoding: body.bytes, as: UTF8.self))
    }

    private static func failure(_ status: Int, _ code: String, _ message: String) -> Answer {
        json(status, ["error": ["code": .string(code), "message": .string(message)]])
    }

    private static func refusal(of head: String) -> Answer {
        let line = head.split(separator: "\r\n").first { $0.hasPrefix("Authorization: ") } ?? ""
        return failure(401, "badKey", "unknown key: \(line.dropFirst(15))")
    }

    private static func answer(to target: String, _ key: String) -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1)
        if let path = parts.first, path.hasPrefix("/v1/recipes/"), let number = Int(path.dropFirst(12)) {
            return json(200, ["recipe": recipe(number - 715_415, "soup", nil)])
        }
        guard parts.first == "/v1/search" else { return failure(404, "noSuchPath", "no such path") }
        let pairs = (parts.count == 2 ? parts[1] : "").split(separator: "&").map { $0.split(separator: "=") }
        let parameters = Dictionary(pairs.map { (String($0[0]), String($0.last ?? "")) }) { first, _ in first }
        let query = parameters["q"] ?? ""
        let (size, page) = (
            parameters["per_page"].flatMap { Int($0) } ?? 10, parameters["page"].flatMap { Int($0) } ?? 1
        )
        guard !query.isEmpty, (1...pageSizeMax).contains(size) else {
            return failure(400, "badRequest", "q and per_page")
        }
        guard (1...50).contains(page) else { return failure(404, "noSuchPage", "there is no such page") }
        switch query {
        case "hungry": return failure(402, "dayIsOver", "you have had your 500 calls")
        case "broken": return (200, "text/html", "<html>\u{1B}[31mOops\(key)</html>")
        default: break
        }
        let total = query == "nothing" ? 0 : Self.total
        let numbers = (page - 1) * size..<max((page - 1) * size, min(page * size, total))
        let isNewest = parameters["order"] == "newest"
        let recipes = numbers.map { recipe(isNewest ? total - 1 - $0 : $0, query, parameters["diet"]) }
        return json(200, ["count": .number(JSONNumber(total)), "results": .array(recipes)])
    }

    private static func recipe(_ number: Int, _ query: String, _ diet: String?) -> JSONValue {
        if query == "odd", number % 2 == 1 { return ["advertisement": "Buy pots"] }
        return [
            "id": .number(JSONNumber(715_415 + number)),
            "name": .string("Red <b>lentil</b> \(query) \(number)"),
            "intro": .string("Ready in no time &amp; \(diet ?? "everyone")"),
            "path": .string("/recipes/\(715_415 + number)"), "cook": ["name": "Mina"],
            "posted": .string("2024-03-\(number % 18 + 10)T11:51:51Z"),
            "minutes": .string("\(20 + number)"), "stars": 4.5,
            "photos": [["url": .string("http://img.recipes.example/\(number).jpg")]],
        ]
    }
}

func withRecipes(_ body: (RecipesServer) async throws -> Void) async throws {
    let server = try RecipesServer()
    try await onOwnThread { try await body(server) }
}
