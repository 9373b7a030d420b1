/// Hits that are kept as the source's own documents until they are needed.
///
/// Few of a page's hits are ever needed, and reading all of them is a good part of the cost of a call.
package struct UnreadHits: Sendable {
    /// The documents as they stand in the source's list, with the commas between them.
    package let documents: ArraySlice<UInt8>
    /// How many they are.
    package let count: Int
    /// The first one's rank.
    package let firstRank: Int
    package var reader: any HitReader

    package init(documents: ArraySlice<UInt8>, count: Int, firstRank: Int, reader: any HitReader) {
        self.documents = documents
        self.count = count
        self.firstRank = firstRank
        self.reader = reader
    }
}

/// Reads a source's own documents.
package protocol HitReader: Sendable {
    /// The hits of a list, a JSON array, whose first document has this rank.
    ///
    /// What is no hit is left out, but has a rank. The `raw` of each hit is a part of `list`, or empty.
    func hits(of list: [UInt8], firstRank: Int) -> [Hit]
}
