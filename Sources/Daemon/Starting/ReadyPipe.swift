import Glibc

/// The pipe to the program that started the daemon.
///
/// That program waits until clients can connect.
struct ReadyPipe: Sendable {
    private let descriptor: Int32?

    init(_ descriptor: Int32?) {
        self.descriptor = descriptor
        if let descriptor { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    func ready() { finish("R") }

    func failed(_ error: StartError) { finish("\(error.message)\n\(error.hint)\n") }

    private func finish(_ message: String) {
        guard let descriptor else { return }
        var text = message
        // The text is valid during the call. SIGPIPE is ignored.
        _ = text.withUTF8 { unsafe write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }
}
