extension OutputSpan<UInt8> {
    /// Appends many bytes at once; traps when they don't fit.
    mutating func append(_ bytes: Span<UInt8>) {
        precondition(bytes.count <= freeCapacity)
        // Both regions live as long as this call, don't overlap, and have room for the count by the line above.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            unsafe bytes.withUnsafeBufferPointer { source in
                let target = unsafe UnsafeMutableBufferPointer(rebasing: buffer[count...])
                _ = unsafe target.initialize(fromContentsOf: source)
            }
            count += bytes.count
        }
    }
}

extension [UInt8] {
    /// Appends many bytes at once.
    mutating func append(_ bytes: Span<UInt8>) {
        // The buffer is copied within the call.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
