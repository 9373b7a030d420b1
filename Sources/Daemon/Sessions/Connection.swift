import Engine
import EventLoop
import RPC
import SearchModel

/// One client's connection: its buffers and its requests in flight.
///
/// `@unchecked Sendable` so that a handler of the loop may hold it: confined to the switchboard, whose actor is the only
/// one that touches it.
final class Connection: @unchecked Sendable {
    /// The most requests of one connection that may be in flight.
    static let requestsInFlightMax = 4096

    /// A request that a task is working on.
    struct InFlightRequest {
        /// Tells it from a later request with the same id.
        let number: UInt64
        let method: String
        let task: Task<Void, Never>
        var batch: PendingBatch?
        let channel: String?
        /// Whether its hits arrive as notifications.
        let streams: Bool
        /// Until when its work holds still; nil when it never did.
        var beginsAt: Instant?
        /// For the log, should it take long.
        let receivedAt: Instant
        /// What a stream has told, for a request that may take it over: at most what its window has held.
        private(set) var told: [StreamNotice] = []

        mutating func noteTold(_ notice: StreamNotice) {
            // Without a channel nobody takes it over.
            if channel != nil { told.append(notice) }
        }
    }

    let number: UInt64
    let peer: Peer
    let descriptor: FileDescriptor
    let connectedAt: Instant
    /// When its last line was served; until then, when it came.
    var servedAt: Instant
    var watch: Watch?
    var interest: Interest = .readable
    var framer = LineFramer()
    var outbox = Outbox()
    var inFlight: [RequestID: InFlightRequest] = [:]
    /// Which request has the work of which, by its number, where that has changed hands.
    var takenOver: [UInt64: RequestID] = [:]
    var channels = Channels()
    var clientName: String? {
        didSet { identity = Self.identity(peer, clientName) }
    }
    /// As whose its work upstream counts.
    private(set) var identity: ClientIdentity
    /// The client has closed its writing side.
    var inputEnded = false
    /// The visitor stopped in the middle of the input because there was no room for answers.
    var readingPaused = false
    /// The pause ends with the next turn.
    var isResuming = false
    /// Its client has been sent the end; what still comes is read and not answered.
    var hasSaidGoodbye = false
    var isClosed = false
    var stallTimer: Timer?
    /// Streams that wait for room.
    var writers: [CheckedContinuation<Void, Never>] = []
    /// What is counted in the switchboard's totals for this connection.
    var countedInput = 0
    var countedOutput = 0

    init(number: UInt64, peer: Peer, descriptor: consuming FileDescriptor, connectedAt: Instant) {
        self.number = number
        self.peer = peer
        self.descriptor = descriptor
        self.connectedAt = connectedAt
        servedAt = connectedAt
        identity = Self.identity(peer, nil)
    }

    private static func identity(_ peer: Peer, _ name: String?) -> ClientIdentity {
        ClientIdentity(userID: peer.userID, program: name ?? "pid \(peer.processID)")
    }

    /// Under which id a request is in flight.
    func currentID(of stream: RequestStream) -> RequestID {
        takenOver[stream.request] ?? stream.id
    }

    /// Whether nothing is buffered and the connection just waits for the next line: the common case after an answer.
    var isAtRest: Bool {
        !inputEnded && outbox.isEmpty && framer.isEmpty && interest == .readable && countedInput == 0
            && countedOutput == 0
    }

    /// Whether everything asked so far has been answered and sent; an unfinished line may be there.
    var isIdle: Bool { inFlight.isEmpty && outbox.isEmpty && !readingPaused }

    /// Whether everything asked has been answered and sent, and nothing more can come.
    var isFinished: Bool { inputEnded && isIdle && framer.isEmpty }
}
