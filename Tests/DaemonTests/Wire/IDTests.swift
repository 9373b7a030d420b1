import JSON
import RPC
import Testing

@Suite struct IDTests {
    @Test func `an id is returned unchanged`() async throws {
        let ids = [
            "0", "1", "-1", "-0", "9223372036854775807", "123456789012345678901234567890", "\"\"", "\"a\"",
            #""\u0061\n\/\"""#, "\"고양이\"", #""\ud83d\ude00""#, "null",
            "\"" + String(repeating: "i", count: RequestID.bytesMax - 2) + "\"",
        ]
        try await withDaemon { daemon in
            let client = try daemon.connect()
            for id in ids {
                try client.send(TestClient.request(id, "server/ping"))
                let line = String(decoding: try client.line(), as: UTF8.self)
                #expect(line.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":{"), "\(line)")
            }
        }
    }

    @Test(arguments: ["7", "\"seven\"", "null"])
    func `an id cannot be used again until its request is answered`(id: String) async throws {
        try await withDaemon { daemon in
            await daemon.delay(200)
            let client = try daemon.connect()
            try client.send(TestClient.request(id, "search", #"{"query":"고양이"}"#))
            try client.send(TestClient.request(id, "server/ping"))
            let refused = try client.message()
            #expect(refused.errorKind == "duplicateId")
            #expect(refused.errorCode == -32600)
            try daemon.bystander.check()
            #expect(try client.message().hitIDs.count == 10)
            try client.send(TestClient.request(id, "server/ping"))
            #expect(try client.message()["result"]?["uptime"] != nil)
        }
    }

    @Test func `escaping does not change an id, but a number and a string are different ids`() async throws {
        try await withDaemon { daemon in
            await daemon.delay(200)
            let client = try daemon.connect()
            try client.send(TestClient.request("\"a\"", "search", #"{"query":"고양이"}"#))
            try client.send(TestClient.request(#""\u0061""#, "server/ping"))
            #expect(try client.message().errorKind == "duplicateId")
            try client.send(TestClient.request("\"1\"", "search", #"{"query":"고양이"}"#))
            try client.send(TestClient.request("1", "server/ping"))
            #expect(try client.message()["id"] == 1)
            #expect(try client.answer(to: "a").hitIDs == client.answer(to: "1").hitIDs)
        }
    }
}
