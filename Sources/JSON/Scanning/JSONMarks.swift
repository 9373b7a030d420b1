import CBytes

/// The places at which plain runs of strings may end, of a text that has been seen to be UTF-8 as a whole.
///
/// A bit for each byte: quotes, backslashes, control characters, and the end of the text.
///
/// `@safe`: up to the text's end every place has a bit, the scanner asks for no other, and it leaves before the memory does.
@safe
struct JSONMarks {
    /// A shorter text is read sooner without.
    static let textBytesMin = 256

    private let words: UnsafePointer<UInt64>

    /// Lends the marks of a text; nil when it is short or not UTF-8, or where the processor can't make them fast.
    static func with<Result>(_ text: UnsafeRawBufferPointer, _ body: (JSONMarks?) -> Result) -> Result {
        guard text.count >= textBytesMin, let start = text.baseAddress else { return body(nil) }
        let count = text.count / Int(BYTES_PER_MARKS) + 1
        return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { room in
            guard let words = room.baseAddress else { return body(nil) }
            // As many bytes are there as are read, and as many words as the marks take, all of which are written.
            let isMarked = unsafe bytes_mark_json(start, text.count, words)
            return body(isMarked ? unsafe JSONMarks(words: UnsafePointer(words)) : nil)
        }
    }

    /// The first marked place from one on that is at most the text's end.
    @inline(__always)
    func next(from place: Int) -> Int {
        var word = place >> 6
        // The end has a mark, so that this word and the following ones up to that are there.
        var bits = unsafe words[word] & (~0 << UInt64(place & 63))
        while bits == 0 {
            word &+= 1
            bits = unsafe words[word]
        }
        return word << 6 &+ bits.trailingZeroBitCount
    }
}
