/// What shows that two hits are the same item: its address, or its number among items of its kind.
///
/// Only things of comparable kinds have anything in common: pages of text (web, blog, cafe, news, story, encyclopedia,
/// answer) with each other; every other kind only with its own, since an app is not the article about it. Images are
/// known by the image and not by the page that shows it; places are never joined, since a chain has one site for many.
package struct ItemIdentity: Hashable, Sendable {
    /// A hash of 128 bits, so that a collision practically never happens, even if someone tries.
    package struct Mark: Hashable, Sendable {
        package let high: UInt64
        package let low: UInt64

        package init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }
    }

    /// The canonical URL.
    package let address: Mark?
    /// An ISBN, or the number under which a store sells it.
    package let number: Mark?

    package init(address: Mark?, number: Mark?) {
        self.address = address
        self.number = number
    }

    package static let unknown = ItemIdentity(address: nil, number: nil)

    /// Every mark there is; one in common is enough.
    package var marks: [Mark] { [number, address].compactMap(\.self) }
}

extension ItemIdentity.Mark {
    private static let keyOfHigh: (UInt64, UInt64) = (0x7365_6172_6368_6420, 0x7361_6D65_2069_7431)
    private static let keyOfLow: (UInt64, UInt64) = (0x7365_6172_6368_6420, 0x7361_6D65_2069_7432)

    /// The mark of a text that begins with the class of items within which it is unique.
    init(_ text: Span<UInt8>) {
        high = SipHash.hash(text, key: Self.keyOfHigh)
        low = SipHash.hash(text, key: Self.keyOfLow)
    }
}
