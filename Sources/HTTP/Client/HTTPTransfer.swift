import CCurl
import EventLoop
import Synchronization

/// One call of `fetch`, with its redirects.
///
/// Used only on the loop.
final class HTTPTransfer {
    typealias Outcome = Result<FetchedResponse, FetchError>

    enum HopEnd {
        case outcome(Outcome)
        case redirected
    }

    let id: UInt64
    let request: FetchRequest
    private(set) var hop: Hop
    var easy: EasyHandle?

    private let loop: EventLoop
    private let began: Instant
    private let timerFired: @Sendable () -> Void
    private var continuation: CheckedContinuation<Outcome, Never>?
    private var machine: HTTPTransferMachine
    private var buffer: ResponseBuffer
    private let bodies: BodyBudget
    private var share: BodyShare
    private var timer: (timer: Timer, deadline: Instant)?
    /// The error of a callback that stopped libcurl.
    ///
    /// It replaces libcurl's result code.
    private var refusal: FetchError?
    private var addressWasRefused = false
    var lacksDescriptors = false

    init(
        id: UInt64,
        request: FetchRequest,
        hop: Hop,
        loop: EventLoop,
        bodies: BodyBudget,
        continuation: CheckedContinuation<Outcome, Never>,
        timerFired: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.request = request
        self.hop = hop
        self.loop = loop
        self.continuation = continuation
        self.timerFired = timerFired
        began = loop.now
        machine = HTTPTransferMachine(timeouts: request.timeouts, now: began)
        buffer = ResponseBuffer(bodyBytesMax: request.responseBytesMax)
        self.bodies = bodies
        share = BodyShare(of: bodies)
        setTimer()
    }

    var isFinished: Bool { machine.isFinished }
    var isResolved: Bool { machine.isResolved }
    var origin: FetchURL.Origin { hop.url.origin }

    // MARK: Events

    func timeout(originIsResolved: Bool) -> FetchError? {
        timer = nil
        if originIsResolved { machine.resolved() }
        guard let phase = machine.expired(now: loop.now) else {
            setTimer()
            return nil
        }
        return .timeout(phase, request.timeouts, host: hop.url.origin.host)
    }

    func hopEnded(_ code: CURLcode, _ easy: EasyHandle) -> HopEnd {
        let host = hop.url.origin.host
        if let refusal { return .outcome(.failure(refusal)) }
        guard code == CURLE_OK else {
            if addressWasRefused { return .outcome(.failure(.addressRefused(host: host))) }
            if code == CURLE_COULDNT_CONNECT && lacksDescriptors || FetchError.lacksDescriptorsForLookup(code) {
                return .outcome(.failure(.tooManyFilesOpen(host: host)))
            }
            let error = FetchError.curl(
                code,
                detail: code == CURLE_COULDNT_CONNECT ? easy.systemError ?? easy.detail : easy.detail,
                host: host,
                wasSent: machine.wasSent,
                hasBegun: !machine.awaitsResponse
            )
            return .outcome(.failure(error))
        }
        let status = easy.number(CURLINFO_RESPONSE_CODE)
        guard status >= 200 else { return .outcome(.failure(.malformed("an invalid status", host: host))) }
        guard buffer.isHeadComplete else {
            return .outcome(.failure(.cut("it ends inside its head", host: host)))
        }
        let location = easy.string(CURLINFO_REDIRECT_URL)
        switch hop.next(status: status, location: location, policy: request.redirects) {
        case .answer:
            guard let response = buffer.response(status: status, easy.fields) else {
                return .outcome(.failure(.malformed("contradictory lengths", host: host)))
            }
            let metrics = easy.metrics(elapsed: began.duration(to: loop.now))
            let fetched = FetchedResponse(response: response, metrics: metrics, location: location, share: share)
            return .outcome(.success(fetched))
        case .refused(let error): return .outcome(.failure(error))
        case .hop(let next):
            hop = next
            buffer = ResponseBuffer(bodyBytesMax: request.responseBytesMax)
            share = BodyShare(of: bodies)
            machine.redirected(now: loop.now)
            setTimer()
            return .redirected
        }
    }

    func end(_ outcome: Outcome) -> Bool {
        guard machine.ended() else { return false }
        if let timer { loop.cancel(timer.timer) }
        timer = nil
        let waiting = continuation
        continuation = nil
        let wasSent = machine.wasSent
        waiting?.resume(
            returning: outcome.mapError { error in
                var error = error
                error.wasSent = wasSent
                return error
            }
        )
        return true
    }

    private func setTimer() {
        guard let deadline = machine.deadline else { return }
        if let timer {
            guard deadline < timer.deadline else { return }
            loop.cancel(timer.timer)
        }
        timer = (loop.schedule(at: deadline, timerFired), deadline)
    }
}

// MARK: - Events of libcurl (returning false stops the transfer)

extension HTTPTransfer {
    func mayConnect(to address: PeerAddress?) -> Bool {
        machine.resolved()
        guard let allows = request.addresses.allows else { return true }
        let allowed = address.map(allows) ?? false
        if !allowed { addressWasRefused = true }
        return allowed
    }

    func readyToSend(to address: @autoclosure () -> PeerAddress?) -> Bool {
        // A request with another address policy may have opened this connection.
        if request.addresses.allows != nil && !mayConnect(to: address()) {
            refusal = .addressRefused(host: hop.url.origin.host)
            return false
        }
        switch machine.readyToSend(now: loop.now) {
        case .announceAndSend:
            setTimer()
            request.willSend?()
            return !isFinished
        case .send:
            setTimer()
            return true
        case .abort: return false
        }
    }

    func received(headLine line: Span<UInt8>) -> Bool {
        machine.receivedHead()
        return accept(buffer.received(headLine: line))
    }

    func received(body piece: Span<UInt8>) -> Bool {
        guard share.grow(to: buffer.body.count + piece.count) else {
            refusal = .tooManyBodies(host: hop.url.origin.host)
            return false
        }
        return accept(buffer.received(body: piece))
    }

    private func accept(_ refused: ResponseBuffer.Refusal?) -> Bool {
        guard !isFinished else { return false }
        let host = hop.url.origin.host
        switch refused {
        case nil: return true
        case .headTooLarge: refusal = .tooLarge("a head that is too large", host: host)
        case .bodyTooLarge: refusal = .tooLarge("a body of more than \(request.responseBytesMax) bytes", host: host)
        }
        return false
    }
}

/// A validated request: the first request, or the request to the target of a redirect.
struct Hop: Equatable, Sendable {
    enum Next: Equatable {
        case answer
        case hop(Hop)
        case refused(FetchError)
    }

    /// The fields that a redirect to another origin keeps.
    ///
    /// Other fields may contain keys.
    private static let harmlessFields: Set<String> = ["accept", "accept-language", "user-agent"]

    let url: FetchURL
    let method: String
    let fields: HTTPFields
    let body: [UInt8]
    var number = 0

    func next(status: Int, location: String?, policy: RedirectPolicy) -> Next {
        guard [301, 302, 303, 307, 308].contains(status), policy.hopsMax >= 0 else { return .answer }
        let host = url.origin.host
        guard policy.hopsMax > 0 else {
            return .refused(.redirect("to another address, which is not allowed for this source", host: host))
        }
        guard number < policy.hopsMax else {
            return .refused(.redirect("more than \(policy.hopsMax) times", host: host))
        }
        guard let location, let target = try? FetchURL(escaping: location) else {
            return .refused(.redirect("to a URL that is not valid", host: host))
        }
        guard target.origin.isSecure || !url.origin.isSecure else {
            return .refused(.redirect("from https to http", host: host))
        }
        guard policy.allows(target.origin) else {
            return .refused(.redirect("to \(target.origin.host), which is not allowed for this source", host: host))
        }
        return .hop(led(to: target, keepsMethod: status == 307 || status == 308))
    }

    private func led(to target: FetchURL, keepsMethod: Bool) -> Hop {
        let keepsBody = keepsMethod || method == "GET"
        let isSameOrigin = target.origin == url.origin
        var kept = HTTPFields()
        for field in fields.fields where isSameOrigin || Self.harmlessFields.contains(field.name.lowercased()) {
            if !keepsBody && field.name.lowercased().hasPrefix("content-") { continue }
            kept.append(field.name, field.value)
        }
        return Hop(
            url: target,
            method: keepsBody ? method : "GET",
            fields: kept,
            body: keepsBody ? body : [],
            number: number + 1
        )
    }
}

/// Limits the memory for all response bodies of a client, including bodies that callers still hold.
final class BodyBudget: Sendable {
    static let freeBytes = 64 << 10

    private let bytesMax: Int
    private let used = Atomic(0)

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    fileprivate func take(_ bytes: Int) -> Bool {
        guard used.wrappingAdd(bytes, ordering: .relaxed).newValue > bytesMax else { return true }
        giveBack(bytes)
        return false
    }

    fileprivate func giveBack(_ bytes: Int) {
        used.wrappingSubtract(bytes, ordering: .relaxed)
    }
}

/// The part of the budget that one body uses.
final class BodyShare: Sendable {
    private let budget: BodyBudget
    private let taken = Atomic(0)

    init(of budget: BodyBudget) {
        self.budget = budget
    }

    deinit {
        budget.giveBack(taken.load(ordering: .relaxed))
    }

    func grow(to bodyBytes: Int) -> Bool {
        let more = max(0, bodyBytes - BodyBudget.freeBytes) - taken.load(ordering: .relaxed)
        guard more > 0 else { return true }
        guard budget.take(more) else { return false }
        taken.wrappingAdd(more, ordering: .relaxed)
        return true
    }
}
