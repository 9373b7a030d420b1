import JSON

/// Masks e-mail addresses, because addresses of private persons must not be stored or shown.
enum EmailAddresses {
    static let mask = "‹e-mail›"
    private static let localBytesMax = 64

    static func masked(_ body: [UInt8]) -> [UInt8] {
        guard body.contains(UInt8(ascii: "@")) else { return body }
        var masked: [UInt8] = []
        masked.reserveCapacity(body.count)
        var copied = 0
        for at in body.indices where body[at] == UInt8(ascii: "@") && at > copied {
            let start = localStart(body, before: at, from: copied)
            let isService = ["git", "hg"].contains { body[start..<at].elementsEqual($0.utf8) }
            guard start < at, !isService, let end = domainEnd(body, after: at) else { continue }
            masked += body[copied..<start]
            masked += mask.utf8
            copied = end
        }
        return masked + body[copied...]
    }

    private static func localStart(_ body: [UInt8], before at: Int, from first: Int) -> Int {
        var start = at
        while start > max(first, at - localBytesMax), isPart(body[start - 1]) || "_%+".utf8.contains(body[start - 1]) {
            start -= 1
        }
        // The letters of an escape such as `\n` and `\u00e9` are not part of the address.
        guard start > first, start < at, body[start - 1] == UInt8(ascii: "\\") else { return start }
        return min(at, start + (body[start] == UInt8(ascii: "u") ? 5 : 1))
    }

    private static func domainEnd(_ body: [UInt8], after at: Int) -> Int? {
        var end = at + 1
        while end < body.count, isPart(body[end]) { end += 1 }
        while end > at + 1, !body[end - 1].isLetter { end -= 1 }
        guard let dot = body[at + 1..<end].lastIndex(of: UInt8(ascii: ".")), dot > at + 1 else { return nil }
        let last = body[dot + 1..<end]
        return last.count > 1 && last.allSatisfy(\.isLetter) ? end : nil
    }

    private static func isPart(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || "-.".utf8.contains(byte) }
}
