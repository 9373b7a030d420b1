/// A valid JSON text and its index, immutable and shared by all its cursors.
package struct JSONDocument: Sendable {
    /// What cursors hold on to: one reference, so that a cursor is cheap to copy.
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline
        let bytes: [UInt8]
        @usableFromInline
        let entries: [JSONEntry]

        init(bytes: [UInt8], entries: [JSONEntry]) {
            self.bytes = bytes
            self.entries = entries
        }
    }

    @usableFromInline
    let storage: Storage

    package init(_ bytes: [UInt8], limits: JSONLimits = .document) throws(JSONError) {
        var index = JSONIndex(limits: limits)
        try index.index(bytes)
        storage = Storage(bytes: bytes, entries: index.entries)
    }

    init(_ storage: Storage) {
        self.storage = storage
    }

    package var root: JSONCursor {
        JSONCursor(storage: storage, place: 0)
    }
}
