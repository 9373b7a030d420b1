import Testing

@testable import Catalogue

struct HostPolicyTests {
    @Test(arguments: [
        "localhost", "LOCALHOST", "localhost.", "foo.localhost", "printer", "nas.local", "db.internal", "router.lan",
        "",
        "127.0.0.1", "127.1", "127.0.0.1.", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "0x7f.0x0.0x0.0x1",
        "017700000001",
        "10.0.0.1", "10.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "0",
        "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.2.1", "203.0.113.9", "8.8.8", "08.8.8.8", "256.1.1.1",
        "1.2.3.4.5",
        "[::1]", "::1", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:1]", "[::127.0.0.1]",
        "[::808:808]",
        "[fe80::1]", "[fe80::1%eth0]", "[fc00::1]", "[fd12:3456::1]", "[ff02::1]", "[2001:db8::1]", "[2002:7f00:1::]",
        "[64:ff9b::7f00:1]", "[64:ff9b:1::1]", "[2001::1]", "[1]", "[::1", "[:::1]", "[1::2::3]", "[12345::]", "a..b",
        "-",
        "exa mple.org", "example.org:80", "exämple.org", "１２７.０.０.１",
    ])
    func `a non-public host is rejected`(_ host: String) {
        #expect(HostPolicy.objection(to: host) != nil)
    }

    @Test(arguments: [
        "example.org", "API.example.org.", "8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.255.255",
        "100.128.0.0",
        "192.169.0.1", "11.0.0.0", "223.255.255.255", "[2606:4700::1111]", "[::ffff:8.8.8.8]", "[2002:808:808::]",
        "[64:ff9b::808:808]", "1e100.net", "0x.example.org", "localhost.example.org", "xn--bj0bj06e.kr",
        "naverapihub.apigw.ntruss.com",
    ])
    func `a public host is accepted`(_ host: String) {
        #expect(HostPolicy.objection(to: host) == nil)
    }
}
