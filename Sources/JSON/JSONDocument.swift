/// A valid JSON text and its index, immutable and shared by all its cursors.
package struct JSONDocument: Sendable {
    /// What cursors hold on to: one reference, so that a cursor is cheap to copy.
    final class Storage: Sendable {
        let bytes: [UInt8]
        let entries: [JSONEntry]

        init(bytes: [UInt8], entries: [JSONEntry]) {
            self.bytes = bytes
            self.entries = entries
        }
    }

    let storage: Storage

    package init(_ bytes: [UInt8], limits: JSONLimits = .document) throws(JSONError) {
        var index = JSONIndex(limits: limits)
        try index.index(bytes)
        storage = Storage(bytes: bytes, entries: Array(index.entries))
    }

    package var root: JSONCursor {
        JSONCursor(storage: storage, place: 0)
    }
}
