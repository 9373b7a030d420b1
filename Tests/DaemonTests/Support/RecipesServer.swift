import EventLoop
import Glibc
import HTTPMessage
import JSON

@testable import Sandbox

/// The API that the guide's example is about: one that no built-in source knows, on loopback.
///
/// It has 57 recipes for every query but a few that stand for something else, and wants a key.
actor RecipesServer: LoopActor {
    static let total = 57
    static let pageSizeMax = 20

    nonisolated let base: String
    nonisolated let key = randomKey()

    private final class Client {
        let descriptor: FileDescriptor
        var parser = HTTPRequestParser()
        var watch: Watch?

        init(_ descriptor: consuming FileDescriptor) {
            self.descriptor = descriptor
        }
    }

    nonisolated let loop: EventLoop
    private let listener: LoopbackListener
    private var watch: Watch?
    private var clients: [Int32: Client] = [:]
    /// The targets that were asked for, in their order.
    private(set) var targets: [String] = []

    private init(on loop: EventLoop) throws {
        self.loop = loop
        listener = try LoopbackListener(port: 0)
        base = "http://127.0.0.1:\(listener.port)"
    }

    static func start(on loop: EventLoop) async throws -> RecipesServer {
        let server = try RecipesServer(on: loop)
        try await server.listen()
        return server
    }

    func stop() {
        if let watch { loop.unwatch(watch) }
        watch = nil
        for client in clients.values { if let watch = client.watch { loop.unwatch(watch) } }
        clients = [:]
    }

    private func listen() throws {
        watch = try loop.watch(listener.descriptor.raw, .readable) { [self] _ in
            onLoop { $0.accept() }
        }
    }

    private func accept() {
        while let descriptor = (try? SystemCall.accept(listener.descriptor.raw)) ?? nil {
            let raw = descriptor.raw
            let client = Client(descriptor)
            clients[raw] = client
            client.watch = try? loop.watch(raw, .readable) { [weak self] _ in self?.onLoop { $0.read(raw) } }
        }
    }

    private func read(_ raw: Int32) {
        guard let client = clients[raw] else { return }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        // The array lives through the call.
        let outcome = unsafe bytes.withUnsafeMutableBytes { unsafe try? SystemCall.read(raw, into: $0) }
        switch outcome {
        case .bytes(let count):
            client.parser.append(bytes[..<count])
            while let message = (try? client.parser.next()) ?? nil { answer(message.request, to: raw) }
        case .wouldBlock: break
        case .ended, nil:
            if let watch = client.watch { loop.unwatch(watch) }
            clients[raw] = nil
        }
    }

    /// Answers are small enough for the socket to take them at once.
    private func answer(_ request: HTTPRequest, to raw: Int32) {
        targets.append(request.url)
        let response = response(to: request)
        let bytes = ResponseHead.bytes(of: response, length: response.body.count, keepsAlive: true) + response.body
        // The array lives through the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe try? SystemCall.send(raw, $0) }
    }
}

// MARK: What it knows

extension RecipesServer {
    private func response(to request: HTTPRequest) -> HTTPResponse {
        let parts = request.url.split(separator: "?", maxSplits: 1)
        let sent = request.fields["Authorization"] ?? ""
        guard sent == "Bearer \(key)" else { return Self.failure(401, "badKey", "unknown key: \(sent)") }
        if let path = parts.first, path.hasPrefix("/v1/recipes/"), let number = Int(path.dropFirst(12)) {
            let recipe = Self.recipe(number - 715_415, "soup", nil)
            return HTTPResponse.of(200, "application/json", (["recipe": recipe] as JSONValue).bytes)
        }
        guard parts.first == "/v1/search" else { return Self.failure(404, "noSuchPath", "no such path") }
        let parameters = Sandbox.Parameters(parts.count == 2 ? parts[1] : "")
        let query = parameters["q"] ?? ""
        let size = parameters["per_page"].flatMap { Int($0) } ?? 10
        let page = parameters["page"].flatMap { Int($0) } ?? 1
        guard !query.isEmpty, (1...Self.pageSizeMax).contains(size) else {
            return Self.failure(400, "badRequest", "q and per_page")
        }
        guard (1...50).contains(page) else { return Self.failure(404, "noSuchPage", "there is no such page") }
        switch query {
        case "hungry": return Self.failure(402, "dayIsOver", "you have had your 500 calls")
        case "broken": return HTTPResponse.of(200, "text/html", Array("<html>\u{1B}[31mOops\(key)</html>".utf8))
        default: break
        }
        let total = query == "nothing" ? 0 : Self.total
        let numbers = (page - 1) * size..<max((page - 1) * size, min(page * size, total))
        let isNewest = parameters["order"] == "newest"
        let recipes = numbers.map { Self.recipe(isNewest ? total - 1 - $0 : $0, query, parameters["diet"]) }
        let body: JSONValue = ["count": .number(JSONNumber(total)), "results": .array(recipes)]
        return HTTPResponse.of(200, "application/json", body.bytes)
    }

    private static func recipe(_ number: Int, _ query: String, _ diet: String?) -> JSONValue {
        // Something that is no recipe, as lists sometimes have it.
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

    private static func failure(_ status: Int, _ code: String, _ message: String) -> HTTPResponse {
        let body: JSONValue = ["error": ["code": .string(code), "message": .string(message)]]
        return HTTPResponse.of(status, "application/json", body.bytes)
    }
}

/// Runs a body before a server of recipes, on a thread of its own where it may block.
func withRecipes(_ body: (RecipesServer) async throws -> Void) async throws {
    try await withLoop("recipes") { loop in
        let server = try await RecipesServer.start(on: loop)
        let outcome: Result<Void, any Error>
        do {
            try await onOwnThread { try await body(server) }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await server.stop()
        try outcome.get()
    }
}
