import EventLoop

/// A pipelined connection to the shared server: replies arrive in the order of the commands.
///
/// `@unchecked Sendable`, because handlers keep a reference and run only on the loop.
final class SharedServerConnection: @unchecked Sendable {
    /// Gets nil if the connection ended before the reply.
    typealias Answer = @Sendable (Reply?) -> Void

    private static let unsentBytesMax = 32 << 20
    private static let chunkBytes = 64 << 10

    private let loop: EventLoop
    private let descriptor: FileDescriptor
    private let reader = ReplyReader()
    private var watch: Watch?
    private var output: [UInt8] = []
    private var sentBytes = 0
    private var isFlushPlanned = false
    private var isBlocked = false
    /// Callbacks before `firstAnswer` have already been called.
    private var answers: [Answer] = []
    private var firstAnswer = 0
    private var ended: (@Sendable (SharedServerError) -> Void)?
    /// Set for a subscription: gets every reply, and `answers` stays empty.
    private let message: (@Sendable (Reply) -> Void)?

    init(
        _ descriptor: consuming FileDescriptor,
        on loop: EventLoop,
        message: (@Sendable (Reply) -> Void)? = nil,
        ended: @escaping @Sendable (SharedServerError) -> Void
    ) throws(SystemError) {
        (self.loop, self.message, self.ended) = (loop, message, ended)
        self.descriptor = descriptor
        watch = try loop.watch(self.descriptor.raw, .readable) { [weak self] readiness in
            if readiness.contains(.writable) { self?.flush() }
            self?.read()
        }
    }

    /// `ended` is called once: if connecting fails, or when the connection ends.
    static func open(
        to address: SharedServerAddress,
        on loop: EventLoop,
        message: (@Sendable (Reply) -> Void)? = nil,
        ended: @escaping @Sendable (SharedServerError) -> Void,
        then: @escaping @Sendable (SharedServerConnection) -> Void
    ) {
        OutgoingSocket.connect(to: address, within: SharedServerNode.connectMax, on: loop) { outcome in
            do throws(SystemError) {
                let descriptor = FileDescriptor(owning: try outcome.get())
                then(try SharedServerConnection(descriptor, on: loop, message: message, ended: ended))
            } catch {
                let hint = "Check that the server is running, and check fleet.url and firewalls."
                ended(SharedServerError("no server listens at \(address) (\(error))", hint: hint))
            }
        }
    }

    func send(_ command: RedisCommand, _ answer: @escaping Answer) {
        guard ended != nil else { return answer(nil) }
        if message == nil { answers.append(answer) }
        output += command.encoded
        guard !isFlushPlanned, !isBlocked else { return }
        isFlushPlanned = true
        loop.perform { self.flush() }
    }

    private func flush() {
        isFlushPlanned = false
        guard ended != nil else { return }
        do throws(SystemError) {
            // Only the loop's thread uses the array, which is valid during the call.
            while sentBytes < output.count {
                let written = unsafe output.withUnsafeBytes { bytes in
                    Result { () throws(SystemError) in
                        try unsafe SystemCall.send(
                            descriptor.raw,
                            UnsafeRawBufferPointer(rebasing: bytes[sentBytes...])
                        )
                    }
                }
                let outcome = try written.get()
                guard case .bytes(let count) = outcome else {
                    if outcome == .ended { return close(.closed) }
                    return try block()
                }
                sentBytes += count
            }
            output.removeAll(keepingCapacity: output.capacity <= Self.chunkBytes)
            sentBytes = 0
            if isBlocked, let watch { try loop.change(watch, to: .readable) }
            isBlocked = false
        } catch {
            close(SharedServerError("\(error)", hint: "Check the network to the server."))
        }
    }

    private func block() throws(SystemError) {
        output.removeFirst(sentBytes)
        sentBytes = 0
        guard output.count <= Self.unsentBytesMax else { return close(.slow) }
        if !isBlocked, let watch { try loop.change(watch, to: [.readable, .writable]) }
        isBlocked = true
    }

    private func read() {
        while ended != nil {
            let outcome: Result<Transfer, SystemError> =
                // The buffer is valid during the call, and the parser copies the bytes.
                unsafe withUnsafeTemporaryAllocation(byteCount: Self.chunkBytes, alignment: 1) { buffer in
                    Result { () throws(SystemError) in
                        let outcome = try unsafe SystemCall.read(descriptor.raw, into: buffer)
                        if case .bytes(let count) = outcome {
                            unsafe reader.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                        }
                        return outcome
                    }
                }
            switch outcome {
            case .success(.bytes(let count)):
                deliver()
                if count < Self.chunkBytes { return }
            case .success(.wouldBlock): return
            case .success(.ended): return close(.closed)
            case .failure(let error):
                return close(SharedServerError("\(error)", hint: "Check the network to the server."))
            }
        }
    }

    private func deliver() {
        do throws(SharedServerError) {
            while ended != nil, let reply = try reader.next() {
                if let message {
                    message(reply)
                } else if firstAnswer < answers.count {
                    let answer = answers[firstAnswer]
                    firstAnswer += 1
                    if firstAnswer == answers.count || firstAnswer >= 1024 {
                        answers.removeFirst(firstAnswer)
                        firstAnswer = 0
                    }
                    answer(reply)
                }
            }
        } catch {
            close(error)
        }
    }

    func close(_ reason: SharedServerError) {
        guard let ended else { return }
        self.ended = nil
        if let watch { loop.unwatch(watch) }
        watch = nil
        let unanswered = answers[firstAnswer...]
        answers = []
        firstAnswer = 0
        for answer in unanswered { answer(nil) }
        ended(reason)
    }
}

extension SharedServerError {
    static let closed = SharedServerError(
        "the shared server closed the connection",
        hint: "Check that the server is running. Its log may say why."
    )
    static let slow = SharedServerError(
        "the shared server does not answer in time",
        hint: "Check the load of the server, its slow log and the network. This host keeps trying."
    )
}
