import CPlatform
import EventLoop
import Glibc

/// The exit status and the output of a program that was run.
struct ProgramRun: Equatable, Sendable {
    static let secondsMax = 10
    static let bytesMax = 256 << 10

    /// Nil if a signal ended the program.
    let status: Int32?
    let output: String

    static func run(_ words: [String]) -> ProgramRun? {
        var output: Int32 = -1
        // The call reads the list and fills `output` before it returns.
        let process = unsafe withCStrings(words) { unsafe platform_spawn_captured($0, &output) }
        guard process > 0 else { return nil }
        let text = read(FileDescriptor(owning: output))
        if text == nil { kill(process, SIGKILL) }
        let status = ChildProcess.wait(for: process)
        return text.map { ProgramRun(status: status, output: $0) }
    }

    private static func read(_ descriptor: consuming FileDescriptor) -> String? {
        let deadline = Instant.now.advanced(by: .seconds(secondsMax))
        var bytes: [UInt8] = []
        while true {
            guard (try? DescriptorIO.wait(for: descriptor.raw, until: deadline)) == [true],
                let more = try? DescriptorIO.read(descriptor.raw, bytesMax: 64 << 10)
            else { return nil }
            if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += more.prefix(bytesMax - bytes.count)
        }
    }
}
