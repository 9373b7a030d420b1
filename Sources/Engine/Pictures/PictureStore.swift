import EventLoop

/// The pictures in memory, bounded by the bytes they hold; the least used are evicted first.
struct PictureStore {
    /// Pictures may take one part in so many of the cache's bound; pages make room for them.
    static let part = 4
    /// A picture is asked for again after that.
    static let freshFor = Duration.seconds(86_400)

    /// The bound of what is kept.
    private(set) var limit: Int
    private var pictures = SieveCache<PictureKey, Picture>()
    private var hits = 0
    private var misses = 0

    /// Keeps nothing yet; the bound is that of the whole cache.
    init(cacheBytesMax: Int) {
        limit = cacheBytesMax / Self.part
    }

    var figures: PictureFigures {
        PictureFigures(
            entries: pictures.count,
            bytes: pictures.bytes,
            limit: limit,
            hits: hits,
            misses: misses,
            evictions: pictures.evictions
        )
    }

    /// The picture under a key, which counts as used; nil when there is none or it has expired.
    mutating func picture(_ key: PictureKey, at now: Instant) -> Picture? {
        guard let picture = pictures.value(key) else { return nil }
        guard now < picture.fetchedAt.advanced(by: Self.freshFor) else {
            pictures.remove(key)
            return nil
        }
        hits += 1
        return picture
    }

    /// Keeps a picture that was fetched just now; one that is larger than the whole bound is not kept.
    mutating func insert(_ picture: Picture, under key: PictureKey) {
        misses += 1
        pictures.remove(key)
        guard picture.bytesUsed <= limit else { return }
        makeRoom(for: picture.bytesUsed)
        pictures.insert(picture, under: key, cost: picture.bytesUsed)
    }

    mutating func removeAll() {
        for key in Array(pictures.keys) { pictures.remove(key) }
    }

    /// Changes the bound to that of another cache, and evicts what no longer fits.
    mutating func resize(cacheBytesMax: Int) {
        limit = cacheBytesMax / Self.part
        makeRoom(for: 0)
    }

    private mutating func makeRoom(for needed: Int) {
        while pictures.bytes + needed > limit, pictures.evict() != nil {}
    }
}

/// The pictures that are kept, and how often one was there or had to be fetched.
package struct PictureFigures: Equatable, Sendable {
    package var entries = 0
    package var bytes = 0
    /// The bound of the bytes.
    package var limit = 0
    package var hits = 0
    package var misses = 0
    package var evictions = 0
}
