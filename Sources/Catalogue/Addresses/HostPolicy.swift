import HTTP
import JSON

/// Decides which hosts a user's source file may name.
package enum HostPolicy {
    /// Returns why a host is refused, or nil; refuses `0x7f.1`, which some resolvers read as the address 127.0.0.1.
    package static func objection(to written: String) -> String? {
        var host = written.lowercased()
        while host.hasSuffix(".") { host.removeLast() }
        guard !host.isEmpty, host.utf8.count <= 253 else { return "it is not a valid host name" }
        let isLong = host.hasPrefix("[") || host.contains(":")
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard isLong || labels.allSatisfy(isLabel) else { return "it is not a valid host name" }
        if isLong || labels.last.map(isNumeric) == true {
            let inner = isLong ? String(host.drop { $0 == "[" }.prefix { $0 != "]" }) : host
            guard let bytes = Self.bytes(of: inner), bytes.count == (isLong ? 16 : 4) else {
                return "it is not an address in the standard form"
            }
            return PublicAddress.objection(to: bytes)
        }
        let isPrivate = labels.count == 1 || privateEndings.contains { host.hasSuffix("." + $0) || host == $0 }
        return isPrivate ? "it is a name of this machine or of its network" : nil
    }

    private static let privateEndings = [
        "localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa", "test",
    ]

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { $0.isSmallLetter || $0.isDigit || "-_".utf8.contains($0) }
    }

    private static func isNumeric(_ label: Substring) -> Bool {
        label.utf8.allSatisfy(\.isDigit)
            || (label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit))
    }

    private static func bytes(of address: String) -> [UInt8]? {
        address.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "%") } ? nil : PeerAddress(text: address, port: 0)?.bytes
    }
}
