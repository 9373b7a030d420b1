import EventLoop
import Glibc

/// The socket of a session, watched on the loop until it is closed.
///
/// Confined to the loop.
final class SessionSocket {
    /// More than the kernel keeps for a connection, with a buffer of `ReadBuffer.bytes` each.
    static let readsMax = 16

    private let loop: EventLoop
    private let log: Log
    /// Closed with `close`, however long something holds on to the session.
    private var descriptor: FileDescriptor?
    /// The descriptor's number; not to be used once it is closed.
    let raw: Int32
    private var watch: Watch?
    private(set) var interest: Interest = []

    init(_ descriptor: consuming FileDescriptor, on loop: EventLoop, _ log: Log) {
        self.loop = loop
        self.log = log
        raw = descriptor.raw
        self.descriptor = consume descriptor
    }

    /// How much has come that is not read yet.
    var unreadBytes: Int { SystemCall.unreadBytes(raw) }

    /// The groups that the kernel says the peer is in, beside its first.
    var peerGroups: [UInt32] { Peer.groups(of: raw) }

    /// Calls a handler, instead of the one before, when something can be read; false when that can't be watched.
    func watchReading(_ handler: @escaping @Sendable (Readiness) -> Void) -> Bool {
        endWatch()
        return reportsFailure { () throws(SystemError) in
            watch = try loop.watch(raw, .readable, handler: handler)
            interest = .readable
        }
    }

    /// Changes what the handler is called for; false when that can't be watched.
    func change(to wanted: Interest) -> Bool {
        guard wanted != interest, let watch else { return true }
        return reportsFailure { () throws(SystemError) in
            try loop.change(watch, to: wanted)
            interest = wanted
        }
    }

    private func reportsFailure(_ body: () throws(SystemError) -> Void) -> Bool {
        do throws(SystemError) {
            try body()
            return true
        } catch {
            log.warning("a connection can't be watched: \(error)")
            return false
        }
    }

    private func endWatch() {
        if let watch { loop.unwatch(watch) }
        watch = nil
        interest = []
    }

    /// Sends the peer the end of what it can read.
    func endWriting() {
        _ = shutdown(raw, Int32(SHUT_WR))
    }

    /// Reads what has come and drops it; false when the peer has closed.
    func discardInput(with buffer: ReadBuffer) -> Bool {
        for _ in 0..<Self.readsMax {
            switch try? unsafe SystemCall.read(raw, into: buffer.memory) {
            case .bytes: continue
            case .wouldBlock: return true
            case .ended, nil: return false
            }
        }
        return true
    }

    func close() {
        endWatch()
        descriptor = nil
    }
}
