import JSON
import Testing

@Suite struct SourceErrorTests {
    @Test func `an unknown source is refused with the nearest name`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            for (wrong, right) in [
                ("kakao.blgo", "kakao.blog"), ("kakoa.web", "kakao.web"), ("Naver.News", "naver.news"),
                ("kakoa", "kakao"), ("@boks", "@books"),
            ] {
                let answer = try client.call("search", "{\"query\":\"x\",\"sources\":[\"\(wrong)\"]}")
                #expect(answer.errorKind == "unknownSource", "\(wrong)")
                #expect(answer.errorCode == -32001)
                #expect(answer.hint?.contains(right) == true, "\(answer)")
                #expect(answer["error"]?["data"]?["path"] == "params.sources", "\(answer)")
            }
            for wrong in ["nothing.*", "", "no source", "kakaos", "@nothing", "a.b.c"] {
                let answer = try client.call("search", "{\"query\":\"x\",\"sources\":[\"\(wrong)\"]}")
                #expect(answer.errorKind == "unknownSource", "\(wrong)")
                #expect(answer.hint?.isEmpty == false)
                #expect(answer["error"]?["data"]?["path"] == "params.sources", "\(answer)")
            }
        }
    }

    @Test func `if a source has no key, the error names the missing key`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let answer = try client.call("search", #"{"query":"x","sources":["google.books"]}"#)
            #expect(answer.errorKind == "notConfigured")
            #expect(answer.errorCode == -32002)
            #expect(answer["error"]?["data"]?["source"] == "google.books")
            #expect(answer.hint?.contains("accounts.google.key") == true)
            let mixed = try client.call("search", #"{"query":"고양이","sources":["google.books","kakao.blog"]}"#)
            #expect(mixed.hitIDs.count == 10)
            #expect(mixed["result"]?["complete"] == false)
            #expect(mixed.source("google.books")?["status"] == "failed")
            #expect(mixed.source("google.books")?["error"]?["data"]?["kind"] == "notConfigured")
        }
    }

    @Test func `if a source refuses a key, the error masks the key`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            // The mock server repeats the key in its response.
            await daemon.refuseKey()
            let answer = try client.call("search", #"{"query":"고양이","explain":true}"#)
            #expect(answer.errorKind == "unauthorized")
            #expect(answer.errorCode == -32002)
            #expect(answer.hint?.contains("accounts.kakao") == true)
            #expect(answer["error"]?["message"]?.string?.contains("‹secret›") == true)
        }
    }

    @Test func `a search fails only if all its sources fail`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.fault("maintenance")
            let partly = try client.call("search", #"{"query":"고양이","sources":["kakao.blog","kakao.cafe"]}"#)
            #expect(partly.hitIDs.count == 10)
            #expect(partly["result"]?["complete"] == false)
            #expect(partly.source("kakao.blog")?["status"] == "failed")
            await daemon.fault("maintenance", source: "kakao.*")
            let params = #"{"query":"강아지","sources":["kakao.blog","kakao.cafe"]}"#
            #expect(try client.call("search", params).errorKind == "unavailable")
            await daemon.endFaults()
        }
    }
}
