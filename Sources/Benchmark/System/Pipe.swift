import Glibc

/// A pipe from a child: its input is the child's output.
final class Pipe {
    private let output: Int32
    private(set) var input: Int32

    init() throws(BenchmarkError) {
        var ends: [Int32] = [-1, -1]
        _ = try SystemCall.checked("making a pipe") {
            // The array has room for both ends.
            unsafe pipe(&ends)
        }
        (output, input) = (ends[0], ends[1])
        // Neither end may stay open in children that have no part in it.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        closeInput()
        close(output)
    }

    /// After the child has it: so that its end is noticed here.
    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// The first line, without its end; nil when the child closed without one.
    func line() throws(BenchmarkError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = try SystemCall.checked("reading what a program says") {
                // One byte fits into one byte.
                unsafe read(output, &byte, 1)
            }
            if count == 0 { return nil }
            if byte == UInt8(ascii: "\n") { return bytes }
            bytes.append(byte)
        }
    }
}
