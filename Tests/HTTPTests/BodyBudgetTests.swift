import HTTP
import TestSupport
import Testing

struct BodyBudgetTests {
    private static let freeBytes = 64 << 10
    private static let bodyBytesMax = 100_000

    private static func server() throws -> RawServer {
        try RawServer { connection in
            while let path = connection.readHead().split(separator: " ").dropFirst().first,
                let count = Int(path.dropFirst())
            {
                connection.answer(String(repeating: "x", count: count))
            }
        }
    }

    @Test func `while large bodies fill the budget, small bodies succeed, but further large bodies fail`() async throws
    {
        let server = try Self.server()
        try await withClient {
            $0.bodyBytesMax = Self.bodyBytesMax
        } _: { client in
            var held: FetchedResponse? = try await client.get(server.url("/\(Self.freeBytes + Self.bodyBytesMax)"))
            #expect(held?.response.body.count == Self.freeBytes + Self.bodyBytesMax)

            #expect(try await client.get(server.url("/\(Self.freeBytes)")).response.body.count == Self.freeBytes)
            let refused = await client.failure(of: server.url("/\(Self.freeBytes + 1)"))
            #expect(refused?.code == .overloaded && refused?.isRetryable == true && refused?.wasSent == true)

            held = nil
            #expect(
                try await client.get(server.url("/\(Self.freeBytes + 1)")).response.body.count == Self.freeBytes + 1
            )
        }
    }

    @Test func `one body may use the complete budget, but not more`() async throws {
        let server = try Self.server()
        try await withClient {
            $0.bodyBytesMax = Self.bodyBytesMax
        } _: { client in
            for _ in 0..<3 {
                let refused = await client.failure(of: server.url("/\(Self.freeBytes + Self.bodyBytesMax + 1)"))
                #expect(refused?.code == .overloaded)
                let whole = try await client.get(server.url("/\(Self.freeBytes + Self.bodyBytesMax)"))
                #expect(whole.response.body.count == Self.freeBytes + Self.bodyBytesMax)
            }
        }
    }
}
