/// When memory that was in use should go back to the system: the allocator keeps what is freed for the next time.
///
/// Pure.
struct MemoryPeak {
    /// Less than this is not worth asking.
    static let bytesMin = 4 << 20
    /// What a connection takes that holds nothing.
    static let connectionBytes = 2 << 10

    private var peak = 0

    /// So much is in use; whether it has become so much less that the rest should go back.
    mutating func isPast(_ bytes: Int) -> Bool {
        guard peak >= Self.bytesMin, bytes <= peak / 4 else {
            peak = max(peak, bytes)
            return false
        }
        peak = bytes
        return true
    }
}
