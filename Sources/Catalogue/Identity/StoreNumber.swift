/// The number under which a store sells something, found in the address of its page there.
///
/// The same thing has one number in the stores of all countries and languages, but another address in each.
enum StoreNumber {
    private static let appleHosts = ["apps", "books", "itunes", "music", "podcasts", "tv"].map {
        Array("\($0).apple.com/".utf8)
    }
    private static let playPath = Array("play.google.com/store/".utf8)

    /// The store and the number behind an address as `CanonicalURL` spells it; nil for an address of no store.
    static func text(of canonical: [UInt8]) -> String? {
        if appleHosts.contains(where: { canonical.starts(with: $0) }) { return apple(canonical) }
        guard canonical.starts(with: playPath) else { return nil }
        return value(of: "id", in: canonical).map { "play \($0)" }
    }

    /// `apps.apple.com/kr/app/name/id123`, or `music.apple.com/kr/album/name/12?i=123` of a song on an album.
    private static func apple(_ canonical: [UInt8]) -> String? {
        if let track = value(of: "i", in: canonical), isNumber(track.utf8) { return "apple \(track)" }
        let path = canonical.prefix { $0 != UInt8(ascii: "?") }
        var last = path.suffix(from: path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex)
        if last.starts(with: "id".utf8) { last = last.dropFirst(2) }
        return isNumber(last) ? "apple \(String(decoding: last, as: UTF8.self))" : nil
    }

    /// The value of a parameter; nil when it is not there, or empty.
    private static func value(of name: String, in canonical: [UInt8]) -> String? {
        guard let query = canonical.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let prefix = Array("\(name)=".utf8)
        for pair in canonical[(query + 1)...].split(separator: UInt8(ascii: "&")) where pair.starts(with: prefix) {
            let value = pair.dropFirst(prefix.count)
            return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
        }
        return nil
    }

    private static func isNumber(_ bytes: some Collection<UInt8>) -> Bool {
        (1...20).contains(bytes.count) && bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
