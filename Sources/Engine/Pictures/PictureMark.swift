/// The address of a picture as it is remembered of a user who was shown it, with the terms on which it may be fetched:
/// a keyed hash, which is good for this process alone and can't be read back.
package struct PictureMark: Hashable, Sendable {
    private static let homeBit: UInt64 = 1
    private static let privateBit: UInt64 = 2

    private var value: UInt64

    package init(_ address: String, _ reach: PictureReach) {
        self.init(Array(address.utf8)[...], reach)
    }

    init(_ address: ArraySlice<UInt8>, _ reach: PictureReach) {
        var hasher = Hasher()
        // The buffer lives through the call, which keeps nothing of it.
        unsafe address.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        let hash = UInt64(bitPattern: Int64(hasher.finalize()))
        value = hash & ~(Self.homeBit | Self.privateBit) | (reach == .home ? Self.homeBit : 0)
    }

    /// The mark of what a search has shown of which nothing is to be kept.
    package var ofPrivateSearch: PictureMark {
        var mark = self
        mark.value |= Self.privateBit
        return mark
    }
}
