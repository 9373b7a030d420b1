import JSON

/// The number under which a store sells something, found in the address of its page there.
///
/// The same thing has one number in the stores of all countries and languages, but another address in each.
struct StoreNumber {
    private static let appleHosts = ["apps", "books", "itunes", "music", "podcasts", "tv"].map {
        Array("\($0).apple.com/".utf8)
    }
    private static let playPath = Array("play.google.com/store/".utf8)
    private static let appleTrack = Array("i=".utf8)
    private static let playProduct = Array("id=".utf8)
    private static let apple = Array("apple ".utf8)
    private static let play = Array("play ".utf8)
    private static let numberPrefix = Array("id".utf8)
    private static let numberDigits = 1...20

    /// The store's name and a blank.
    let store: [UInt8]
    /// Where the number stands in the address.
    let range: Range<Int>

    /// The store and the number behind an address as `CanonicalURL` spells it; nil for an address of no store.
    init?(_ canonical: Span<UInt8>) {
        if Self.appleHosts.contains(where: { canonical.holds($0, at: 0) }) {
            guard let range = Self.apple(canonical) else { return nil }
            store = Self.apple
            self.range = range
        } else {
            guard canonical.holds(Self.playPath, at: 0), let range = Self.value(Self.playProduct, in: canonical) else {
                return nil
            }
            store = Self.play
            self.range = range
        }
    }

    /// `apps.apple.com/kr/app/name/id123`, or `music.apple.com/kr/album/name/12?i=123` of a song on an album.
    private static func apple(_ canonical: Span<UInt8>) -> Range<Int>? {
        if let track = value(appleTrack, in: canonical), isNumber(canonical.extracting(track)) { return track }
        let end = canonical.index(of: UInt8(ascii: "?"), from: 0)
        var begin = end
        while begin > 0, canonical[begin - 1] != UInt8(ascii: "/") { begin -= 1 }
        if canonical.extracting(0..<end).holds(numberPrefix, at: begin) { begin += numberPrefix.count }
        return isNumber(canonical.extracting(begin..<end)) ? begin..<end : nil
    }

    /// Where the value of a parameter stands, whose name is given with its `=`; nil when it is not there, or empty.
    private static func value(_ name: [UInt8], in canonical: Span<UInt8>) -> Range<Int>? {
        var begin = canonical.index(of: UInt8(ascii: "?"), from: 0) + 1
        while begin < canonical.count {
            let end = canonical.index(of: UInt8(ascii: "&"), from: begin)
            if canonical.extracting(0..<end).holds(name, at: begin) {
                return begin + name.count < end ? begin + name.count..<end : nil
            }
            begin = end + 1
        }
        return nil
    }

    private static func isNumber(_ bytes: Span<UInt8>) -> Bool {
        guard numberDigits.contains(bytes.count) else { return false }
        for index in 0..<bytes.count where !bytes[index].isDigit {
            return false
        }
        return true
    }
}
