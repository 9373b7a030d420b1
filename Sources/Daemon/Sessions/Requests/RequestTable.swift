import EventLoop
import RPC
import SearchModel

/// A request that is not answered yet: it is held still, waits for room, or a task works on it.
struct Request {
    typealias Work = @Sendable (RequestStream) async throws(SearchError) -> Reply

    let method: String
    let channel: String?
    /// Whether its hits arrive as notifications.
    let streams: Bool
    /// What its task does.
    let work: Work
    /// About what it takes in memory.
    let bytes: Int
    var batch: PendingBatch?
    /// Until when its work is held still; nil when it never was.
    var beginsAt: Instant?
    /// For the log, should it take long.
    let receivedAt: Instant
    var task: Task<Void, Never>?
    /// Until its work begins, or has waited too long.
    var timer: Timer?
    /// What a stream has reported, for a request that may take it over: at most what its window has held.
    private(set) var reported: [StreamNotice] = []

    /// What a message that is worked on takes at the least: what is read from it takes several times its bytes.
    static func bytes(ofMessage bytes: Int) -> Int { 1024 + 8 * bytes }

    mutating func note(_ notice: StreamNotice) {
        // Without a channel none can take it over.
        if channel != nil, notice.lasts { reported.append(notice) }
    }
}

/// The requests of a session that are not answered yet, by number and by id, and its channels.
///
/// A request keeps its number when another request takes its work over; its id changes. Pure: tasks and timers are only
/// kept here.
///
/// Invariant: `ids` and `numbers` name each of the requests once, and each other.
struct RequestTable {
    private var requests: [UInt64: Request] = [:]
    private var ids: [UInt64: RequestID] = [:]
    private var numbers: [RequestID: UInt64] = [:]
    private var channels = Channels()
    private var lastNumber: UInt64 = 0
    /// About what all of them take in memory.
    private(set) var bytes = 0

    var isEmpty: Bool { requests.isEmpty }
    var count: Int { requests.count }
    var channelCount: Int { channels.count }
    var all: some Collection<Request> { requests.values }
    var allIDs: some Collection<RequestID> { numbers.keys }

    func contains(_ id: RequestID) -> Bool { numbers[id] != nil }

    /// Under which id a request is in flight; nil when it no longer is.
    func id(of number: UInt64) -> RequestID? { ids[number] }

    /// The number of a request in flight.
    func number(of id: RequestID) -> UInt64? { numbers[id] }

    subscript(number: UInt64) -> Request? { requests[number] }

    /// Takes a request in; no other may have its id.
    mutating func add(_ request: Request, as id: RequestID) -> UInt64 {
        lastNumber += 1
        requests[lastNumber] = request
        bytes += request.bytes
        link(lastNumber, id)
        return lastNumber
    }

    /// Changes a request; nothing when it is no longer in flight.
    mutating func update(_ number: UInt64, _ change: (inout Request) -> Void) {
        guard var request = requests[number] else { return }
        change(&request)
        requests[number] = request
    }

    /// Takes a request out, and frees its channel.
    mutating func remove(_ id: RequestID) -> (number: UInt64, Request)? {
        guard let number = numbers.removeValue(forKey: id), let request = requests.removeValue(forKey: number) else {
            return nil
        }
        ids[number] = nil
        bytes -= request.bytes
        if let channel = request.channel { channels.ended(id, on: channel) }
        checkInvariants()
        return (number, request)
    }

    /// A request comes on a channel.
    mutating func claim(_ claim: ChannelClaim, by id: RequestID, now: Instant) -> Channels.Claimed {
        channels.claimed(claim, by: id, now: now)
    }

    /// A request comes on a channel that is answered already; the older one that ends by it.
    mutating func answered(on channel: String, now: Instant) -> RequestID? {
        channels.answered(on: channel, now: now)
    }

    /// The work of a request goes on under another id; nil when it is not in flight.
    mutating func rename(_ older: RequestID, to id: RequestID) -> UInt64? {
        guard let number = numbers.removeValue(forKey: older) else { return nil }
        link(number, id)
        return number
    }

    private mutating func link(_ number: UInt64, _ id: RequestID) {
        ids[number] = id
        numbers[id] = number
        checkInvariants()
    }

    private func checkInvariants() {
        assert(requests.count == numbers.count && requests.count == ids.count)
    }
}
