import EventLoop

/// A connected stream socket that does not block; it closes with its last owner.
final class Connection {
    private let socket: FileDescriptor

    var descriptor: Int32 { socket.raw }

    private init(_ socket: consuming FileDescriptor) {
        self.socket = socket
    }

    /// Connects to a Unix socket; fails at once when no process listens.
    static func unix(_ path: String) throws(BenchmarkError) -> Connection {
        try BenchmarkError.wrapping { () throws(SystemError) in Connection(try UnixSocket.connect(to: path)) }
    }
}
