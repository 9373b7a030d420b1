import Glibc

/// Tells the program that started the daemon, over a pipe it left open, that clients can connect, or why they can't.
struct ReadyPipe: Sendable {
    private let descriptor: Int32?

    init(_ descriptor: Int32?) {
        self.descriptor = descriptor
        if let descriptor { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    func ready() { finish("R") }

    func failed(_ error: StartError) { finish("\(error.message)\n\(error.hint)\n") }

    /// The starter may have gone: then the message is not missed.
    ///
    /// SIGPIPE is ignored by then.
    private func finish(_ message: String) {
        guard let descriptor else { return }
        var text = message
        _ = text.withUTF8 { unsafe write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }
}
