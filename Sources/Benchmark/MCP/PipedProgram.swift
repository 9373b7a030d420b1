import EventLoop
import Glibc

/// A program that answers lines on its standard output to those on its standard input.
final class PipedProgram {
    private static let chunkBytes = 64 << 10

    let process: ChildProcess
    private let directory: TemporaryDirectory
    private let input: FileDescriptor
    private let output: FileDescriptor

    /// Starts it with two named pipes as its standard streams.
    init(_ program: String, _ arguments: [String]) throws(BenchmarkError) {
        directory = try TemporaryDirectory()
        let (input, output) = ("\(directory.path)/in", "\(directory.path)/out")
        for path in [input, output] {
            // The path lives through the call.
            _ = try SystemCall.checked("making a pipe") { unsafe mkfifo(path, 0o600) }
        }
        // A pipe opens when both of its ends do.
        let words = ["-c", #"in=$1 out=$2; shift 2; exec "$@" <"$in" >"$out""#, "sh", input, output, program]
        process = try ChildProcess(Command(program: "sh", arguments: words + arguments))
        self.input = try SystemCall.open(input, O_WRONLY)
        self.output = try SystemCall.open(output, O_RDONLY)
    }

    /// Sends a line and takes its answer, one after the other; nanoseconds of one time.
    @discardableResult
    func exchange(_ line: [UInt8], times: Int) throws(BenchmarkError) -> Double {
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        let start = SystemCall.now
        for _ in 0..<times {
            // A pipe takes a short line at once; the array lives through the call.
            guard unsafe write(input.raw, line, line.count) == line.count else {
                throw process.failure("did not read a line")
            }
            var last: UInt8 = 0
            while last != UInt8(ascii: "\n") {
                // The count keeps the read within the chunk.
                let count = unsafe read(output.raw, &chunk, chunk.count)
                guard count > 0 else { throw process.failure("did not answer a line") }
                last = chunk[count - 1]
            }
        }
        return Double(SystemCall.now - start) / Double(times)
    }
}
