import Engine
import EventLoop
import RPC
import SearchModel
import Upstream

/// One client's connection: its socket, watched for what can be read or written, until the client or the daemon ends
/// it.
///
/// What is read lies in `input`, what is being worked on in `requests`, what is to be sent in `output`; `settle` brings
/// them in line with each other after every step.
///
/// `@unchecked Sendable` so that handlers and tasks may hold it: confined to the loop, which its entries from there
/// assert.
final class Session: @unchecked Sendable {
    let number: UInt64
    let peer: Peer
    let shared: SessionResources
    let input: SessionInput
    let output: SessionOutput
    private(set) lazy var requests = SessionRequests(of: self, shared)
    private(set) lazy var subscriptions = SessionSubscriptions(of: self)
    private let socket: SessionSocket
    private(set) lazy var stallTimer = StallTimer(of: self)
    private(set) lazy var goodbye = Goodbye(to: self, socket)
    /// The pause of the input ends with the next turn.
    private var isResuming = false
    /// What the memory budget counts for this session.
    private(set) var counted = Holdings()
    private(set) var isClosed = false
    private(set) var clientName: String?
    /// The client that its calls to sources are charged to.
    private(set) var client: ClientIdentity

    init(
        number: UInt64,
        peer: Peer,
        descriptor: consuming FileDescriptor,
        _ shared: SessionResources,
        _ dispatcher: Dispatcher
    ) {
        self.number = number
        self.peer = peer
        self.shared = shared
        socket = SessionSocket(descriptor, on: shared.loop, shared.log)
        input = SessionInput(shared, dispatcher)
        output = SessionOutput(to: socket.raw, shared)
        client = ClientIdentity(userID: peer.userID, program: "pid \(peer.processID)")
    }

    /// The client announces what it is called.
    func name(client name: String) {
        clientName = name
        client = ClientIdentity(userID: peer.userID, program: name)
    }

    /// The groups that the kernel says the peer is in, beside its first.
    var peerGroups: [UInt32] { socket.peerGroups }

    /// Whether everything asked so far has been answered and sent; an unfinished line may be there.
    var isIdle: Bool { requests.isEmpty && output.isEmpty && input.isIdle }

    /// Whether something has come that is not read yet.
    var hasUnreadInput: Bool { socket.unreadBytes > 0 }

    /// What it holds at the moment.
    var holdings: Holdings {
        Holdings(
            input: input.bytesHeld,
            output: output.bytesHeld + requests.bytesHeld,
            reserved: requests.reservedBytes
        )
    }

    // MARK: Reading

    /// Begins to read; false when the socket can't be watched.
    func begin() -> Bool {
        socket.watchReading { [self] in ready($0) }
    }

    /// The socket has something to read, or room to write, or an end.
    private func ready(_ readiness: Readiness) {
        shared.loop.checkIsolated()
        if readiness.contains(.failure) { return close() }
        // There is room now: what was held back for want of it goes on.
        if readiness.contains(.writable) { flushAndSettle() }
        if isClosed { return }
        if readiness.contains(.readable), socket.interest.contains(.readable) {
            read(peerHasGone: readiness.contains(.hangup))
        } else if readiness.contains(.hangup) {
            close()
        }
    }

    private func read(peerHasGone: Bool) {
        switch input.read(from: socket.raw, for: self) {
        case .nothing: break
        case .served: afterServing()
        case .ended:
            // No one would read the answer.
            if peerHasGone { return close() }
            input.finish(for: self)
            afterServing()
        case .failed: close()
        }
    }

    /// Goes on with what a pause left unserved.
    func resume() {
        guard !isClosed else { return }
        isResuming = false
        input.resume(for: self)
        afterServing()
    }

    private func afterServing() {
        flush()
        if isClosed || isAtRest { return }
        input.count()
        settle()
    }

    /// Whether nothing is buffered and the session just waits for the next line: the common case after an answer.
    private var isAtRest: Bool {
        input.isAtRest && output.isEmpty && requests.isEmpty && socket.interest == .readable && counted == Holdings()
    }

    // MARK: Settling

    /// Brings interest, timer, waiting writers and memory in line with what is buffered; closes the session when it is
    /// finished.
    func settle() {
        guard !isClosed else { return }
        if input.isFinished, isIdle { return close() }
        account()
        if isClosed { return }
        if shared.isDraining, isIdle { return goodbye.say() }
        updateInterest()
        if isClosed { return }
        stallTimer.update()
        output.resumeWaiting()
        shared.memory.startWork()
        if input.isPaused, !isResuming { resumeOrHoldBack() }
    }

    /// Brings the memory budget in line with what it holds.
    func account() {
        let before = counted
        counted = isClosed ? Holdings() : holdings
        shared.memory.changed(from: before, to: counted)
    }

    /// Goes on when it is its turn, or is left until others hold less.
    private func resumeOrHoldBack() {
        guard input.mayServe(for: self) else {
            if output.isBelowLimit { shared.memory.holdBack(self) }
            return
        }
        shared.memory.letGo(self)
        isResuming = true
        shared.turns.add(self)
    }

    private func updateInterest() {
        var wanted: Interest = input.wantsMore ? .readable : []
        if !output.isEmpty { wanted.insert(.writable) }
        if !socket.change(to: wanted) { close() }
    }

    // MARK: Ending

    /// Reads what came before the daemon began to end; requests in it are refused.
    func readLast() {
        for _ in 0..<SessionSocket.readsMax {
            guard !isClosed, socket.interest.contains(.readable) else { break }
            read(peerHasGone: false)
            guard !isClosed, hasUnreadInput else { break }
        }
        settle()
    }

    /// Ends it at once: its requests are cancelled, what it was to be sent is dropped.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        stallTimer.cancel()
        goodbye.cancel()
        requests.cancelAll()
        subscriptions.endAll()
        output.close()
        socket.close()
        shared.memory.letGo(self)
        shared.table.remove(self)
        account()
        shared.memory.startWork()
    }
}
