package import Catalogue
package import RPC
package import SearchModel
import Upstream

/// A request for the full record of an item.
package struct ItemRequest: Sendable {
    package let source: SourceName
    package let id: String
    /// The source's key of the item, or a hash of the key if the id contains only this hash.
    package var key: ItemKey
    /// Returns the item's key from the source's own document; used if the id contains only a hash of the key.
    package var keyInDocument: (@Sendable ([UInt8]) -> ItemKey?)?
    /// Returns the hit if it is in the caller's personal data.
    package var ownHit: (@Sendable () async -> KnownHit?)?
    /// The conditions for loading the item, such as the timeout; its query is not used.
    package var terms: SearchRequest

    package init(source: SourceName, id: String, key: ItemKey) {
        self.source = source
        self.id = id
        self.key = key
        terms = SearchRequest(query: key.query, sources: [])
    }

    package init?(id: String) {
        guard id.utf8.count <= SourceName.bytesMax + 1 + HitKey.bytesMax,
            let colon = id.utf8.firstIndex(of: UInt8(ascii: ":")), let source = SourceName(String(id[..<colon]))
        else { return nil }
        let rest = String(id[id.utf8.index(after: colon)...])
        guard HitKey.isPlain(rest), let key = ItemKey(rest) else { return nil }
        self.init(source: source, id: id, key: key)
    }
}

package struct FoundItem: Sendable {
    package let hit: KnownHit
    /// Whether the hit is the source's record of the item.
    package let isFull: Bool
    package let use: CacheUse
    package let failure: SearchError?
}
