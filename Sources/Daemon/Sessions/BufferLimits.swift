/// How much the connections may keep in memory together, whatever each of them may keep alone.
struct BufferLimits {
    /// Of unfinished lines; beyond, the connection with most of them is dropped.
    var inputBytesMax = 64 << 20
    /// Of unsent answers; beyond, a connection that holds a little gets no further answer.
    var outputBytesPressing = 128 << 20
    /// Of unsent answers; beyond, the connection with most of them is dropped: each holds one answer, however long.
    var outputBytesMax = 256 << 20
}
