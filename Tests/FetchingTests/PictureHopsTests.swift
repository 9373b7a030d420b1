import HTTP
import SearchTestSupport
import Testing

@testable import Fetching

/// The redirects and addresses that are allowed for public (`open`) and local (`home`) pictures.
@Suite struct PictureHopsTests {
    private func hops(_ url: String, _ reach: PictureReach) throws -> PictureHops {
        PictureHops(to: try FetchURL(url), reach)
    }

    private func origin(_ url: String) throws -> FetchURL.Origin { try FetchURL(url).origin }

    private func address(_ text: String) throws -> PeerAddress {
        try #require(PeerAddress(text: text, port: 443))
    }

    @Test(arguments: [
        "127.0.0.1", "10.0.0.1", "100.64.0.1", "169.254.169.254", "192.168.1.1", "224.0.0.1", "::1", "fe80::1",
        "fd00:ec2::254", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1",
    ])
    func `a public picture is never fetched from a local or private address`(text: String) throws {
        var hops = try hops("https://a.example/x", .open)
        #expect(try !hops.mayReach(address(text)))
        #expect(try hops.mayFollow(to: origin("https://b.example/")))
        #expect(try !hops.mayReach(address(text)))
        #expect(try hops.mayReach(address("1.1.1.1")))
    }

    @Test func `a public picture is redirected only to https`() throws {
        var hops = try hops("https://a.example/x", .open)
        #expect(try hops.mayFollow(to: origin("https://a.example/y")))
        #expect(!hops.hasRefused)
        #expect(try !hops.mayFollow(to: origin("http://a.example/y")))
        #expect(hops.hasRefused)
    }

    @Test func `a local picture may be redirected within its origin, or to another origin with https`() throws {
        var home = try hops("http://127.0.0.1:8080/x", .home)
        #expect(try home.mayReach(address("127.0.0.1")))
        #expect(try home.mayFollow(to: origin("http://127.0.0.1:8080/y")))
        #expect(try home.mayReach(address("127.0.0.1")))
        for other in ["http://127.0.0.1:8081/", "http://127.0.0.2:8080/", "http://localhost:8080/"] {
            var home = try hops("http://127.0.0.1:8080/x", .home)
            #expect(try !home.mayFollow(to: origin(other)), "\(other)")
            #expect(home.hasRefused)
        }
    }

    @Test func `after a redirect to another origin, a local picture is fetched only from public addresses`() throws {
        var hops = try hops("http://127.0.0.1:8080/x", .home)
        #expect(try hops.mayFollow(to: origin("https://127.0.0.1:8443/")))
        #expect(try !hops.mayReach(address("127.0.0.1")))
        #expect(try hops.mayFollow(to: origin("https://cdn.example/")))
        #expect(try hops.mayReach(address("1.1.1.1")))
        #expect(try !hops.mayFollow(to: origin("http://127.0.0.1:8080/x")))
    }
}
