import HTTP
import Testing

struct PeerAddressTests {
    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
        "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
        "223.255.255.255", "2001:4860:4860::8888", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101",
        "2002:101:101::1",
    ])
    func `an Internet address is public`(text: String) throws {
        #expect(try #require(PeerAddress(text: text, port: 80)).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
        "127.255.255.255", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.168.0.0",
        "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1",
        "239.255.255.255", "240.0.0.0", "255.255.255.255", "::", "::1", "fc00::1", "fdff::1", "fe80::1", "febf::1",
        "fec0::1", "ff02::1", "100::1", "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::1", "2002:a00:1::1", "fe80::1%eth0",
    ])
    func `local, private and reserved addresses are not public`(text: String) throws {
        #expect(try #require(PeerAddress(text: text, port: 80)).isPublic == false)
    }

    @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::g", "1.2.3.4:80"])
    func `text that is not an address is refused`(text: String) {
        #expect(PeerAddress(text: text, port: 80) == nil)
    }
}
