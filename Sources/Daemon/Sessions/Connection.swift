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
    /// What a request in flight takes beside its work.
    static let requestBytes = 1200

    /// A request that is not answered yet: it holds still, waits for memory, or a task works on it.
    struct InFlightRequest {
        let stream: RequestStream
        let method: String
        /// What its task does, and the memory that takes.
        let work: Switchboard.Work
        let workBytes: Int
        var task: Task<Void, Never>?
        /// Until its work begins, or has waited too long.
        var timer: Timer?
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

        /// Tells it from a later request with the same id.
        var number: UInt64 { stream.request }

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
    /// The batch whose messages are begun one by one; no line is read meanwhile.
    var batch: BatchLine?
    /// The batch whose line is being written; other answers wait for its end in `behindBatch`.
    var openBatch: PendingBatch?
    var behindBatch: [Outbox.Item] = []
    var behindBatchBytes = 0
    /// Of the answers to batches that are held until these are complete.
    var batchBytes = 0
    /// Serving stopped before all that was read has been served: for want of room, or since the turn was long enough.
    var readingPaused = false
    /// The pause ends with the next turn.
    var isResuming = false
    /// Its client has been sent the end; what still comes is read and not answered.
    var hasSaidGoodbye = false
    var isClosed = false
    var stallTimer: Timer?
    /// Streams that wait for room.
    var writers: [CheckedContinuation<Void, Never>] = []
    /// What the framer held when it was last through with its lines.
    var inputBytes = 0
    /// For work under way: the sum over the requests in flight.
    var reservedBytes = 0
    /// What the switchboard's budget counts for this connection.
    var counted = Holdings()

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

    /// A task's request, when it is still in flight.
    func request(of stream: RequestStream) -> InFlightRequest? {
        let request = inFlight[currentID(of: stream)]
        return request?.number == stream.request ? request : nil
    }

    /// Changes a task's request; nothing when it is no longer in flight.
    func update(_ stream: RequestStream, _ change: (inout InFlightRequest) -> Void) {
        let id = currentID(of: stream)
        guard var request = request(of: stream) else { return }
        change(&request)
        inFlight[id] = request
    }

    /// Whether nothing is buffered and the connection just waits for the next line: the common case after an answer.
    var isAtRest: Bool {
        !inputEnded && !readingPaused && outbox.isEmpty && framer.isEmpty && inFlight.isEmpty && interest == .readable
            && counted == Holdings()
    }

    /// What it holds at the moment.
    var holdings: Holdings {
        let input = inputBytes + (batch?.bytes ?? 0)
        let output = outbox.unsentBytes + outbox.waitingBytes + batchBytes + behindBatchBytes
        return Holdings(input: input, output: output + inFlight.count * Self.requestBytes, reserved: reservedBytes)
    }

    /// Whether everything asked so far has been answered and sent; an unfinished line may be there.
    var isIdle: Bool { inFlight.isEmpty && outbox.isEmpty && batch == nil && !readingPaused }

    /// Whether everything asked has been answered and sent, and nothing more can come.
    var isFinished: Bool { inputEnded && isIdle && framer.isEmpty }
}
