/// A dictionary of large values that are changed where they stand.
///
/// `Dictionary` moves a value out to change it, and back, and allocates thrice for that: more than the changes cost here.
///
/// Invariant: every key in `places` leads to its own entry, which has a value, and there are no other entries.
struct InPlaceDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let key: Key
        var value: Value?
    }

    private var entries: [Entry] = []
    private var places: [Key: Int] = [:]

    var keys: [Key] { entries.map(\.key) }
    /// In the order in which they came, as long as none has gone.
    var values: some Sequence<Value> { entries.lazy.compactMap(\.value) }

    func contains(_ key: Key) -> Bool { places[key] != nil }

    subscript(key: Key) -> Value? {
        get { places[key].flatMap { entries[$0].value } }
        _modify {
            let known = places[key]
            let place = known ?? entries.count
            if known == nil { entries.append(Entry(key: key, value: nil)) }
            defer { changed(place, isNew: known == nil) }
            yield &entries[place].value
        }
    }

    /// The value at a place may be another, or none.
    private mutating func changed(_ place: Int, isNew: Bool) {
        if entries[place].value == nil {
            remove(place, isNew: isNew)
        } else if isNew {
            places[entries[place].key] = place
        }
    }

    private mutating func remove(_ place: Int, isNew: Bool) {
        if !isNew { places[entries[place].key] = nil }
        entries.swapAt(place, entries.count - 1)
        entries.removeLast()
        if place < entries.count { places[entries[place].key] = place }
    }
}
