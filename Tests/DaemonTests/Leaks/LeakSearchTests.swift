import HTTPMessage
import TestSupport
import Testing

@testable import Sandbox

/// The search for keys, proved on keys that are there.
@Suite struct LeakSearchTests {
    private static let key = "S3cr+t/K%y=0123456789"

    @Test func `every form of a planted key is found, wherever it stands`() {
        var generator = SeededGenerator(seed: testSeed())
        let search = LeakSearch(["k": Self.key])
        #expect(search.secrets[0].forms.count == 14)
        for form in search.secrets[0].forms {
            for _ in 0..<20 {
                var noise = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                #expect(search.findings(in: noise, place: "noise").isEmpty)
                noise.insert(contentsOf: form.text.utf8, at: Int.random(in: 0...noise.count, using: &generator))
                #expect(search.findings(in: noise, place: "noise").map(\.form).contains(form.name), "\(form.name)")
            }
        }
    }

    @Test(arguments: ["", "x", "xy", "KakaoAK ", "user:"])
    func `a key is found in the base64 of what holds it`(lead: String) {
        let encoded = Base64.text(Array("\(lead)\(Self.key)tail".utf8))
        let search = LeakSearch(["k": Self.key])
        #expect(search.findings(in: encoded, place: "").map(\.form).contains { $0.hasPrefix("base64 from") })
        let forURLs = encoded.replacing("+", with: "-").replacing("/", with: "_")
        #expect(search.findings(in: forURLs, place: "").map(\.form).contains { $0.hasPrefix("base64url from") })
        #expect(LeakSearch(["k": "another-key-0123456789"]).findings(in: encoded, place: "").isEmpty)
    }

    @Test(arguments: [200, 400])
    func `what the sandbox repeats would be found if nobody took it out`(status: Int) {
        let request = HTTPRequest(
            url: "/books/v1/volumes?q=cat&key=\(PercentEncoding.encode(Self.key))",
            fields: HTTPFields([("Authorization", "KakaoAK header-\(Self.key)")])
        )
        let search = LeakSearch(["k": Self.key])
        func forms(isEncoded: Bool) -> Set<String> {
            let body = Echo.response(to: request, status: status, isEncoded: isEncoded).body
            return Set(search.findings(in: body, place: "").map(\.form))
        }
        #expect(forms(isEncoded: false).contains("raw"))
        #expect(
            forms(isEncoded: true).isSuperset(of: [
                "percent, all, lower", "percent, all, upper", "percent, minimal, upper", "base64 from 0",
                "base64 from 1", "base64 from 2",
            ])
        )
    }
}
