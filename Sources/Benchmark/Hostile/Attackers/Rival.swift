import EventLoop

/// Clients that compete with a patient one for the calls of a source.
protocol Rival: AnyObject {
    /// Searches that were answered.
    var answered: Int { get }
    /// Reads what came, and sends more searches.
    func step() throws(BenchmarkError)
}

/// Makes one new search at a time, always under the same name.
final class PatientClient {
    private let talk: Dialogue
    private var asked = 0
    private var askedAt: Int64 = 0
    private var othersBefore = 0
    private(set) var served = 0
    private(set) var failed = 0
    private(set) var longestWait: Int64 = 0
    /// The most answers to others during one wait.
    private(set) var overtakenMost = 0

    init(_ daemon: HostileDaemon) throws(BenchmarkError) {
        talk = try daemon.talk()
        _ = talk.answer(to: Wire.request(0, "server/hello", #"{"client":"patient"}"#), within: 1_000_000_000)
    }

    func step(othersAnswered: Int) {
        if asked > served + failed {
            guard let line = talk.line(until: 0) else { return }
            if Wire.isResult(line) { served += 1 } else { failed += 1 }
            longestWait = max(longestWait, SystemCall.now - askedAt)
            overtakenMost = max(overtakenMost, othersAnswered - othersBefore)
        }
        asked += 1
        (askedAt, othersBefore) = (SystemCall.now, othersAnswered)
        let search = FairnessGate.search("참을성 \(asked)")
        _ = talk.send(Wire.request(asked, "search", search), until: askedAt + 1_000_000_000)
    }
}

/// Clients that connect, search once and leave, each under another name, a fixed number at a time.
final class Strangers: Rival {
    private let daemon: HostileDaemon
    private var slots: [Dialogue?]
    private var came = 0
    private(set) var answered = 0

    init(_ daemon: HostileDaemon, slots: Int) {
        self.daemon = daemon
        self.slots = Array(repeating: nil, count: slots)
    }

    func step() throws(BenchmarkError) {
        for index in slots.indices {
            if let talk = slots[index] {
                // The first line answers hello.
                guard talk.line(with: #""id":2"#, until: 0) != nil || talk.isClosed else { continue }
                answered += 1
            }
            came += 1
            let talk = try daemon.talk()
            let hello = Wire.request(1, "server/hello", #"{"client":"stranger \#(came)"}"#)
            let search = Wire.request(2, "search", FairnessGate.search("나그네 \(came)"))
            _ = talk.send(hello + search, until: SystemCall.now + 1_000_000_000)
            slots[index] = talk
        }
    }
}

/// One connection that uses another name for each search, and keeps several in flight.
final class Renamer: Rival {
    private let talk: Dialogue?
    private let waiting: Int
    private var asked = 0
    private(set) var answered = 0

    init(_ daemon: HostileDaemon, waiting: Int) {
        talk = try? daemon.talk()
        self.waiting = waiting
    }

    func step() throws(BenchmarkError) {
        guard let talk, !talk.isClosed else { throw BenchmarkError(.answer, "the daemon closed a connection") }
        while let line = talk.line(until: 0) {
            if !Wire.isHello(line) { answered += 1 }
        }
        while asked < answered + waiting {
            asked += 1
            let hello = Wire.request(2 * asked, "server/hello", #"{"client":"name \#(asked)"}"#)
            let search = Wire.request(2 * asked + 1, "search", FairnessGate.search("개명 \(asked)"))
            _ = talk.send(hello + search, until: SystemCall.now + 1_000_000_000)
        }
    }
}
