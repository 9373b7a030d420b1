import EventLoop
import Testing

@testable import Daemon
@testable import Fleet

struct FleetConfigurationTests {
    private static func read(_ fleet: String) -> (fleet: Configuration.Fleet?, hints: [String]) {
        let (configuration, problems) = ConfigurationReader.read(Array("{ fleet: \(fleet) }".utf8), file: "/c")
        return (configuration.fleet, problems.map { "\($0)" })
    }

    @Test(arguments: [
        ("valkey://host:7000", SharedServerAddress.network(host: "host", port: "7000")),
        ("redis://10.0.0.1", .network(host: "10.0.0.1", port: "6379")),
        ("redis://[::1]:6380", .network(host: "::1", port: "6380")),
        ("unix:/run/valkey/valkey.sock", .path("/run/valkey/valkey.sock")),
        ("unix:///run/valkey.sock", .path("/run/valkey.sock")),
    ])
    func `the address of the shared server is read in every form`(url: String, address: SharedServerAddress) {
        let (fleet, problems) = Self.read("{ url: \"\(url)\", offlineShare: 0.1 }")
        #expect(problems.isEmpty)
        #expect(fleet?.address == address)
        #expect(fleet?.offlineShare == 0.1)
    }

    @Test(arguments: [
        ("host:6379", "valkey://HOST:6379"), ("http://host", "valkey://HOST:6379"), ("valkey://", "valkey://HOST:6379"),
        ("valkey://host:x", "valkey://HOST:6379"), ("redis://host/3", "valkey://HOST:6379"), ("unix:run", "unix:/PATH"),
        ("redis://user:secret@host", "fleet.password"), ("valkeys://host", "tunnel"),
    ])
    func `an invalid address is refused, and the hint shows what to write`(url: String, hint: String) {
        let problems = Self.read("{ url: \"\(url)\" }").hints
        #expect(problems.count == 1)
        #expect(problems.first?.contains(hint) == true)
        #expect(problems.first?.contains("secret") == false)
    }
}
