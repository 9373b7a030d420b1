import JSON

extension JSONWriter {
    /// The members of an object without the braces around them, for answers that are put together of pieces.
    static func members(_ write: (inout JSONWriter) -> Void) -> ArraySlice<UInt8> {
        var writer = JSONWriter()
        writer.object(write)
        return writer.bytes[1..<writer.bytes.count - 1]
    }
}
