import JSON

extension OutputSpan<UInt8> {
    /// Appends many bytes at once; traps when they don't fit.
    mutating func append(_ bytes: Span<UInt8>) {
        precondition(bytes.count <= freeCapacity)
        // Both regions live as long as this call, don't overlap, and have room for the count by the line above.
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            unsafe bytes.withUnsafeBufferPointer { source in
                guard let target = buffer.baseAddress, let source = source.baseAddress else { return }
                unsafe (target + count).initialize(from: source, count: bytes.count)
            }
            count += bytes.count
        }
    }

    /// Appends many bytes at once, capital letters of ASCII as small ones; traps when they don't fit.
    mutating func appendLowered(_ bytes: Span<UInt8>) {
        let start = count
        append(bytes)
        var appended = mutableSpan
        for offset in start..<appended.count { appended[offset] = appended[offset].lowered }
    }
}

extension [UInt8] {
    /// Appends many bytes at once.
    mutating func append(_ bytes: Span<UInt8>) {
        // The buffer is copied within the call.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
