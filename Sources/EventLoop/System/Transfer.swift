import CPlatform
import Glibc

/// What came of reading from, or writing to, a descriptor that does not block.
package enum Transfer: Equatable, Sendable {
    case bytes(Int)
    /// Nothing now; the poller tells when to try again.
    case wouldBlock
    /// The other side has closed its end.
    case ended
}

extension Transfer {
    /// Runs one call until a signal does not interrupt it, and names its outcome.
    ///
    /// - Parameters:
    ///   - call: The name for the error.
    ///   - attempt: Performs the call once; its result, and errno when that is negative.
    /// - Returns: What was moved, or why nothing was.
    /// - Throws: Any errno but EINTR, EAGAIN and those that say that the peer has gone.
    package static func performing(
        _ call: String,
        _ attempt: () -> (result: Int, number: Int32)
    ) throws(SystemError) -> Transfer {
        while true {
            let (result, number) = attempt()
            if result >= 0 { return .bytes(result) }
            switch number {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case EPIPE, ECONNRESET: return .ended
            case EBADF, EFAULT: fatalError("\(call): errno \(number) is a defect of the caller")
            default: throw SystemError(call: call, number: number)
            }
        }
    }
}
