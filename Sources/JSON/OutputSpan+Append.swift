extension OutputSpan<UInt8> {
    /// Appends many bytes at once; traps when they don't fit.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= freeCapacity)
        // Both regions live as long as this call, don't overlap, and have room for the count by the line above.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            unsafe UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count...]))
                .copyMemory(from: bytes)
            count += bytes.count
        }
    }
}
