/// The pages that walks keep from being freed, each counted once however many walks have it.
///
/// Invariant: `bytes` is the sum of `bytesUsed` over the distinct pages pinned.
struct PinnedPages {
    private var uses: [ObjectIdentifier: Int] = [:]
    private(set) var bytes = 0

    mutating func pin(_ pages: [CachedPage]) {
        for page in pages {
            let count = uses[ObjectIdentifier(page), default: 0]
            if count == 0 { bytes += page.bytesUsed }
            uses[ObjectIdentifier(page)] = count + 1
        }
    }

    /// Takes back one pin of each of these pages.
    mutating func unpin(_ pages: [CachedPage]) {
        for page in pages {
            guard let count = uses[ObjectIdentifier(page)] else { continue }
            uses[ObjectIdentifier(page)] = count > 1 ? count - 1 : nil
            if count == 1 { bytes -= page.bytesUsed }
        }
    }
}
