package import Catalogue
package import RPC
package import SearchModel
package import Upstream

/// One item that a caller wants in full.
package struct ItemRequest: Sendable {
    package let source: SourceName
    /// As its hit has it.
    package let id: String
    /// The source's own, by which it is asked for; perhaps the hash that stands for it in the id.
    package var key: ItemKey
    /// Finds the source's own in a document of its hit, where it can't stand in the id.
    package var keyInDocument: (@Sendable ([UInt8]) -> ItemKey?)?
    /// Finds the hit among what its caller alone may see.
    package var ownHit: (@Sendable () async -> KnownHit?)?
    package var maxAge: Duration?
    package var offline = false
    package var timeout = SearchRequest.timeoutDefault
    package var isPrivate = false
    package var client = ClientIdentity.daemon
    package var priority = Priority.interactive

    package init(source: SourceName, id: String, key: ItemKey) {
        self.source = source
        self.id = id
        self.key = key
    }

    /// The item of a hit's id; nil for what no hit has as its id.
    ///
    /// - Complexity: O(1): an id is short.
    package init?(id: String) {
        guard id.utf8.count <= SourceName.bytesMax + 1 + HitKey.bytesMax,
            let colon = id.utf8.firstIndex(of: UInt8(ascii: ":")), let source = SourceName(String(id[..<colon]))
        else { return nil }
        let rest = String(id[id.utf8.index(after: colon)...])
        guard HitKey.isPlain(rest.utf8.span), let key = ItemKey(rest) else { return nil }
        self.init(source: source, id: id, key: key)
    }

    /// On which terms its page is loaded.
    var terms: SearchRequest {
        var terms = SearchRequest(query: key.query, sources: [])
        terms.maxAge = maxAge
        terms.offline = offline
        terms.timeout = timeout
        terms.isPrivate = isPrivate
        terms.client = client
        terms.priority = priority
        return terms
    }
}

/// What is known of an item.
package struct FoundItem: Sendable {
    package let hit: KnownHit
    /// Whether it is the source's own record of the item.
    package let isFull: Bool
    package let use: CacheUse
    /// What kept the source from giving its record, or a newer one.
    package let failure: SearchError?
}
