import HTTP
import JSON

/// Which hosts a user's file may send requests to, as they are written.
///
/// Checked when the file is loaded; the addresses that a host resolves to are checked again before each connection.
package enum HostPolicy {
    /// Why a host may not be used; nil when it may.
    ///
    /// A number in any spelling that some resolver takes for an address is refused, unless it is a public one in the
    /// usual spelling.
    package static func objection(to written: String) -> String? {
        var host = written.lowercased()
        while host.hasSuffix(".") { host.removeLast() }
        guard !host.isEmpty, host.utf8.count <= 253 else { return "it is no host name" }
        if host.hasPrefix("[") || host.contains(":") {
            let inner = host.drop { $0 == "[" }.prefix { $0 != "]" }
            guard let bytes = Self.bytes(of: String(inner)), bytes.count == 16 else {
                return "it is no address in the usual spelling"
            }
            return PublicAddress.objection(to: bytes)
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel) else { return "it is no host name" }
        if let last = labels.last, isNumeric(last) {
            guard let bytes = Self.bytes(of: host), bytes.count == 4 else {
                return "it is an address in an unusual spelling"
            }
            return PublicAddress.objection(to: bytes)
        }
        return privateName(host, labels)
    }

    private static func privateName(_ host: String, _ labels: [Substring]) -> String? {
        guard labels.count > 1 else { return "it is a name of this machine or its network" }
        let endings = [
            "localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa", "test",
        ]
        for ending in endings where host == ending || host.hasSuffix("." + ending) {
            return "it is a name of this machine or its network"
        }
        return nil
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { byte in
                byte.isSmallLetter || byte.isDigit || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }

    /// Decimal, octal or hexadecimal: no name ends in such a label.
    private static func isNumeric(_ label: Substring) -> Bool {
        label.utf8.allSatisfy(\.isDigit)
            || (label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit))
    }

    /// The bytes of an address in its usual spelling; nil of any other text.
    private static func bytes(of address: String) -> [UInt8]? {
        address.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "%") } ? nil : PeerAddress(text: address, port: 0)?.bytes
    }
}
