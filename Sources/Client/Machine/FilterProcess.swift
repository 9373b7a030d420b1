import CPlatform
package import EventLoop
package import Glibc

/// A program that turns bytes of strangers into other bytes, in a process with limits on memory and time.
package final class FilterProcess {
    private static let readBytesMax = 64 << 10

    private let process: pid_t
    private let outputBytesMax: Int
    private var unsent: ArraySlice<UInt8>
    /// -1 after everything is sent.
    private var input: Int32 = -1
    private let output: Int32
    package let dueAt: Instant
    /// The output up to now; empty after a failure.
    package private(set) var received: [UInt8] = []

    /// Starts a program; fails if it cannot be started.
    ///
    /// - Parameters:
    ///   - words: Its path and arguments.
    ///   - bytes: Its standard input.
    ///   - memoryBytesMax: The limit of its address space.
    ///   - secondsMax: The limit of its processor time.
    ///   - timeout: The limit of its running time.
    ///   - outputBytesMax: A longer output is a failure.
    ///   - now: The time.
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
        // The list lives through the call, which keeps none of it and fills both locals.
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
        // The killed child ends soon.
        while waitpid(process, nil, 0) < 0, platform_errno() == EINTR {}
    }

    /// What poll(2) waits for.
    package var polled: [pollfd] {
        let writing = input < 0 ? [] : [pollfd(fd: input, events: Int16(POLLOUT), revents: 0)]
        return writing + [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
    }

    /// Moves bytes without waiting; returns whether the program has ended or failed.
    package func move(at now: Instant = .now) -> Bool {
        do throws(ClientError) {
            while input >= 0 {
                let count = try DescriptorIO.write(unsent, to: input)
                unsent = unsent.dropFirst(count)
                if unsent.isEmpty { endInput() } else if count == 0 { break }
            }
        } catch {
            // The program may not need the last bytes.
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

    /// Waits until the program has ended; returns its output, empty after a failure.
    package func run() -> [UInt8] {
        while !move() {
            var polled = polled
            // The kernel fills the array, whose length is given, during the call.
            _ = unsafe poll(&polled, nfds_t(polled.count), dueAt.pollTimeout(from: .now))
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
