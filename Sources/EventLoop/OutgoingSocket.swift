import CPlatform

/// Connects to other programs.
///
/// Each call uses a new thread, because the lookup of a name may block.
package enum OutgoingSocket {
    package enum Address: Hashable, Sendable, CustomStringConvertible {
        case network(host: String, port: String)
        case path(String)

        package var description: String {
            switch self {
            case .network(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
            case .path(let path): path
            }
        }
    }

    /// `done` runs on the loop and must close the descriptor that it gets.
    ///
    /// A name lookup can take longer than `limit`.
    package static func connect(
        to address: Address,
        within limit: Duration,
        on loop: EventLoop,
        _ done: @escaping @Sendable (Result<Int32, SystemError>) -> Void
    ) {
        do throws(SystemError) {
            _ = try WorkerThread(named: "connect") {
                let outcome = Result { () throws(SystemError) in try connect(to: address, within: limit) }
                loop.perform { done(outcome) }
            }
        } catch {
            loop.perform { done(.failure(error)) }
        }
    }

    private static func connect(to address: Address, within limit: Duration) throws(SystemError) -> Int32 {
        switch address {
        case .path(let path): return try UnixSocket.connect(to: path, within: limit).release()
        case .network(let host, let port):
            // Both texts are valid during the call.
            let raw = unsafe platform_connect(host, port, Int32(clamping: limit.saturatingNanoseconds / 1_000_000))
            // The result -2 means that the lookup of the name failed. Errno 6 is ENXIO.
            guard raw >= 0 else { throw SystemError(call: "connect", number: raw == -2 ? 6 : platform_errno()) }
            return raw
        }
    }
}
