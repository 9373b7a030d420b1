/// IPv6 addresses as they are written.
enum IPv6Text {
    /// The sixteen bytes; nil for anything that is not plainly an address, a zone (`%eth0`) included.
    static func bytes(_ text: Substring) -> [UInt8]? {
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        switch halves.count {
        case 1:
            guard let bytes = groups(halves[0]), bytes.count == 16 else { return nil }
            return bytes
        case 2:
            guard let head = groups(halves[0]), let tail = groups(halves[1]), head.count + tail.count <= 14 else {
                return nil
            }
            return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
        default: return nil
        }
    }

    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, group) in groups.enumerated() {
            if group.contains("."), index == groups.count - 1 {
                guard let four = dotted(group) else { return nil }
                bytes += four
            } else {
                guard (1...4).contains(group.utf8.count), group.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                    let value = UInt16(group, radix: 16)
                else { return nil }
                bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
            }
        }
        return bytes
    }

    private static func dotted(_ text: Substring) -> [UInt8]? {
        let bytes = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let known = bytes.compactMap(\.self)
        return known.count == 4 && bytes.count == 4 ? known : nil
    }
}
