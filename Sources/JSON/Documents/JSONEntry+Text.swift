extension JSONEntry {
    /// What documents have for each value at least; one with more values costs a pass more, or a copy of the entries.
    private static let bytesPerEntry = 8

    /// The entries of one text, in an array of their own.
    ///
    /// - Complexity: O(n) in the bytes of the text; one allocation for a usual one.
    static func all(of text: UnsafeRawBufferPointer, limits: JSONLimits) throws(JSONError) -> [JSONEntry] {
        guard text.count <= limits.bytesMax else { throw JSONError.tooLong(limits) }
        // The buffer is read within the calls only.
        var hasTooMany = false
        if let entries = unsafe quickly(of: text, limits: limits, &hasTooMany) { return entries }
        guard !hasTooMany else { throw JSONError.tooManyEntries(limits) }
        return try unsafe carefully(of: text, limits: limits)
    }

    /// The entries of a text that is valid and long enough; nil of any other, and of one that has too many.
    private static func quickly(
        of text: UnsafeRawBufferPointer,
        limits: JSONLimits,
        _ hasTooMany: inout Bool
    ) -> [JSONEntry]? {
        // The marks are lent for the pass.
        unsafe JSONMarks.with(text) { marks in
            guard let marks else { return nil }
            var capacity = text.count / bytesPerEntry + bytesPerEntry
            while true {
                var outcome = JSONMarkedScanner.Outcome.givenUp
                let entries = unsafe [JSONEntry](unsafeUninitializedCapacity: capacity) { tape, count in
                    // The pass writes its entries one after the other and counts them.
                    let scanner = unsafe JSONMarkedScanner(text, marks, onto: tape, depthMax: limits.depthMax)
                    outcome = scanner?.scan() ?? .givenUp
                    if case .indexed(let written) = outcome { count = written }
                }
                switch outcome {
                case .indexed where entries.count <= limits.entriesMax: return entries
                case .tapeFull where capacity <= limits.entriesMax: capacity *= 4
                case .indexed, .tapeFull:
                    hasTooMany = true
                    return nil
                case .givenUp: return nil
                }
            }
        }
    }

    /// The same of every text; tells what is wrong with one, and where.
    private static func carefully(
        of text: UnsafeRawBufferPointer,
        limits: JSONLimits
    ) throws(JSONError) -> [JSONEntry] {
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
            case .indexed where entries.count <= limits.entriesMax: return entries
            case .tapeFull where capacity <= limits.entriesMax: capacity *= 4
            case .indexed, .tapeFull: throw JSONError.tooManyEntries(limits)
            case .refused(let error): throw error
            }
        }
    }
}
