import JSON

/// A saved item as it is kept, which is also how the contract spells it.
///
/// A list hands it on as it is: to read it into a `SavedItem` and write it again takes several times as long as finding
/// it.
package struct KeptItem: Equatable, Sendable {
    /// JSON on one line.
    package let bytes: [UInt8]

    /// Nil when it is not whole.
    init?(_ bytes: [UInt8]) {
        guard let document = try? JSONDocument(bytes), document.root["id"]?.string != nil else { return nil }
        self.bytes = bytes
    }

    /// Nil when it is not an item.
    var read: SavedItem? { LibraryTable.item(bytes) }

    package var id: String { (try? JSONDocument(bytes).root["id"]?.string) ?? "" }
}
