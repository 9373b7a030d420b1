import HTTPMessage

/// Which hosts a file that is not the program's own may have asked, as they are written.
///
/// It is asked when the file is loaded; what addresses a host turns out to have is looked at again before each connection.
package enum HostPolicy {
    /// Why a host as written may not be asked; nil when it may.
    ///
    /// A number in any spelling that some resolver takes for an address is refused, unless it is a public one in the
    /// usual spelling.
    package static func objection(to written: String) -> String? {
        var host = written.lowercased()
        while host.hasSuffix(".") { host.removeLast() }
        guard !host.isEmpty, host.utf8.count <= 253 else { return "it is no host name" }
        if host.hasPrefix("[") || host.contains(":") {
            let inner = host.drop { $0 == "[" }.prefix { $0 != "]" }
            guard let bytes = IPv6Text.bytes(inner) else { return "it is no address in the usual spelling" }
            return PublicAddress.objection(to: bytes)
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel) else { return "it is no host name" }
        if let last = labels.last, isNumeric(last) {
            guard let bytes = dotted(labels) else { return "it is an address in an unusual spelling" }
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
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }

    /// Decimal, octal or hexadecimal: no name ends in such a label.
    private static func isNumeric(_ label: Substring) -> Bool {
        label.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            || (label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit))
    }

    /// Four decimal numbers without leading zeros.
    private static func dotted(_ labels: [Substring]) -> [UInt8]? {
        guard labels.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for label in labels {
            guard label == "0" || !label.hasPrefix("0"), let byte = UInt8(label) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
