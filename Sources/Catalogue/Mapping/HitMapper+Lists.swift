import JSON
import SearchModel

extension HitMapper: HitReader {
    /// Reads elements of a document until there are `hitsMax` hits or `isWanted` returns false; returns the hits and
    /// the elements that were not read.
    func read(
        _ elements: ArraySlice<Int>,
        of document: JSONDocument,
        keepRaw: Bool,
        firstRank: Int,
        hitsMax: Int,
        while isWanted: () -> Bool = { true }
    ) -> (hits: [Hit], rest: ArraySlice<Int>) {
        var hits: [Hit] = []
        hits.reserveCapacity(min(elements.count, hitsMax))
        var rest = elements
        document.withView { view in
            var context = context(of: view)
            while hits.count < hitsMax, let element = rest.first, isWanted() {
                let rank = firstRank + elements.count - rest.count
                let raw = keepRaw ? document.text(at: element) : []
                if let hit = hit(at: element, rank: rank, raw: raw, &context) { hits.append(hit) }
                rest = rest.dropFirst()
            }
        }
        return (hits, rest)
    }

    func hits(of list: [UInt8], firstRank: Int) -> [Hit] {
        guard let document = try? JSONDocument(list), document.root.kind == .array else { return [] }
        let elements = document.elements(at: document.root.index)
        return read(elements[...], of: document, keepRaw: true, firstRank: firstRank, hitsMax: .max).hits
    }
}
