extension JSONEntry {
    /// What documents have for each value at least; one with more values costs a copy of the entries or two.
    private static let bytesPerEntry = 16

    /// The entries of one text, in an array of their own.
    ///
    /// - Complexity: O(n) in the bytes of the text; one allocation for a usual one.
    static func all(of text: UnsafeRawBufferPointer, limits: JSONLimits) throws(JSONError) -> [JSONEntry] {
        guard text.count <= limits.bytesMax else { throw JSONError.tooLong(limits) }
        var entries: [JSONEntry] = []
        var capacity = text.count / bytesPerEntry + bytesPerEntry
        var scanner: JSONScanner?
        while true {
            var outcome = JSONScanner.Outcome.tapeFull
            let begun = entries
            unsafe entries = [JSONEntry](unsafeUninitializedCapacity: capacity) { tape, count in
                // The tape holds more than was begun; the pass writes its entries one after the other and counts them.
                _ = unsafe tape.initialize(fromContentsOf: begun)
                unsafe outcome = JSONScanner.advance(&scanner, over: text, onto: tape, depthMax: limits.depthMax)
                count = scanner?.count ?? 0
            }
            switch outcome {
            case .indexed: return entries
            case .tapeFull: capacity *= 4
            case .refused(let error): throw error
            }
        }
    }
}
