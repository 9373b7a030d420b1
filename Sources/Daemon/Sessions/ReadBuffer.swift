/// The buffer that every connection is read into, in turn; it lives as long as the switchboard.
@safe final class ReadBuffer {
    static let bytes = 64 << 10

    /// Freed in deinit; only the switchboard, on its loop, reads or fills it.
    let memory: UnsafeMutableRawBufferPointer

    init() {
        unsafe memory = .allocate(byteCount: Self.bytes, alignment: 16)
    }

    deinit {
        unsafe memory.deallocate()
    }
}
