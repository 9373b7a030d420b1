import CPlatform
package import EventLoop
package import Glibc

/// Runs a program that converts untrusted bytes, with limits on memory and time.
package final class FilterProcess {
    private static let readBytesMax = 64 << 10

    private let process: pid_t
    private let outputBytesMax: Int
    private var unsent: ArraySlice<UInt8>
    private var input: Int32 = -1
    private let output: Int32
    package let dueAt: Instant
    package private(set) var received: [UInt8] = []

    /// Starts the program with limits on address space, processor time and output.
    package init?(
        _ words: [String],
        _ bytes: [UInt8],
        memoryBytesMax: Int,
        secondsMax: UInt32,
        timeout: Duration,
        outputBytesMax: Int,
        at now: Instant = .now
    ) {
        var (input, output): (Int32, Int32) = (-1, -1)
        // The list is valid during the call. The call does not keep the list. It fills `input` and `output`.
        process = unsafe withCStrings(words) {
            unsafe platform_spawn_decoder($0, memoryBytesMax, secondsMax, &input, &output)
        }
        guard process > 0 else { return nil }
        (self.input, self.output, self.outputBytesMax) = (input, output, outputBytesMax)
        unsent = bytes[...]
        dueAt = now.advanced(by: timeout)
    }

    deinit {
        endInput()
        close(output)
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, platform_errno() == EINTR {}
    }

    package var polled: [pollfd] {
        let writing = input < 0 ? [] : [pollfd(fd: input, events: Int16(POLLOUT), revents: 0)]
        return writing + [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
    }

    /// Exchanges data with the program without waiting, and returns whether the program has ended or failed.
    package func move(at now: Instant = .now) -> Bool {
        do throws(ClientError) {
            while input >= 0 {
                let count = try DescriptorIO.write(unsent, to: input)
                unsent = unsent.dropFirst(count)
                if unsent.isEmpty { endInput() } else if count == 0 { break }
            }
        } catch {
            // The program has closed its input. The output may still be complete.
            endInput()
        }
        guard now < dueAt else { return fail() }
        while let read = try? DescriptorIO.read(output, bytesMax: Self.readBytesMax) {
            if read.isEmpty { return true }
            received += read
            if received.count > outputBytesMax { return fail() }
        }
        return false
    }

    package func run() -> [UInt8] {
        while !move() {
            var polled = polled
            _ = try? DescriptorIO.poll(&polled, until: dueAt)
        }
        return received
    }

    private func fail() -> Bool {
        received = []
        return true
    }

    private func endInput() {
        if input >= 0 { close(input) }
        input = -1
    }
}
