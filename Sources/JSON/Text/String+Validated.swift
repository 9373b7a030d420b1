extension String {
    /// A string of bytes that are known to be UTF-8, since they come out of a document or line that was read.
    package init(validated bytes: Span<UInt8>) {
        // Whoever calls this has the bytes from a reader, which takes nothing that is not UTF-8.
        unsafe self.init(copying: UTF8Span(unchecked: bytes))
    }
}
