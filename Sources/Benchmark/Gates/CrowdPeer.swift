import CPlatform
import EventLoop
import Glibc

/// Many badly behaved connections, driven from one thread in small steps, which costs little.
final class Crowd {
    private final class Member {
        let socket: FileDescriptor
        let output: [UInt8]
        let byteWise: Bool
        var sent = 0
        var isClosed = false

        init(_ socket: consuming FileDescriptor, _ output: [UInt8], _ byteWise: Bool) {
            self.socket = socket
            (self.output, self.byteWise) = (output, byteWise)
        }
    }

    /// The pause between two rounds; within a round each slow member writes a byte.
    private static let step = Duration.milliseconds(50)

    private let socketPath: String
    private var members: [Member] = []

    var count: Int { members.count }

    init(_ socketPath: String) { self.socketPath = socketPath }

    /// Adds a member that reads nothing, and writes byte by byte or as much at once as the socket takes.
    func join(_ output: [UInt8], byteWise: Bool) {
        if let socket = try? UnixSocket.connect(to: socketPath) { members.append(Member(socket, output, byteWise)) }
    }

    /// Closes the oldest connections.
    func leave(_ count: Int) { members.removeFirst(min(count, members.count)) }

    /// Lets every member write until the deadline, or until `goesOn` returns false.
    func drive(until deadline: Int64, _ goesOn: () -> Bool) {
        while SystemCall.now < deadline, goesOn() {
            for member in members where !member.isClosed && member.sent < member.output.count {
                let count = member.byteWise ? 1 : Int.max
                let sent = SystemCall.send(member.output, from: member.sent, count: count, on: member.socket.raw)
                member.sent += max(0, sent)
                member.isClosed = sent < 0 && platform_errno() != EAGAIN
            }
            SystemCall.pause(Self.step)
        }
    }
}

/// The program `searchbench crowd-peer ROLE SOCKET N`, which the gate of crowds runs as several users.
enum CrowdPeer {
    enum Role: String {
        /// Opens so many connections that write a byte at a time, and as many that read nothing; stays.
        case hold
        /// Keeps a search waiting on each of so many connections, each under a new name; stays.
        case rivals
        /// Makes one new search at a time for so many seconds; prints how many were answered.
        case patient
        /// Makes cached searches for so many seconds; prints their p99 in nanoseconds.
        case probe
    }

    private static let answerMax = Duration.seconds(20)
    private static let searchesUnread = 64
    static let fairSource = "kakao.blog"
    static let cached = Wire.request(1, "search", Wire.search("고양이", "kakao.video", #","limit":10,"maxAge":86400"#))

    static func run(_ words: [String], print: (String) -> Void) throws {
        guard words.count == 3, let role = Role(rawValue: words[0]), let number = Int(words[2]), number > 0 else {
            throw BenchmarkError("usage: searchbench crowd-peer ROLE SOCKET N", isUsage: true)
        }
        let deadline = SystemCall.now + Int64(number) * 1_000_000_000
        switch role {
        case .hold: hold(number, words[1], print)
        case .rivals: try rivals(number, words[1], print)
        case .patient:
            let talk = try Dialogue(words[1])
            var served = 0
            for asked in 1... where SystemCall.now < deadline {
                let search = Wire.request(asked, "search", search("참을성 \(asked)"))
                guard Wire.isResult(talk.answer(to: search, within: answerMax)) else {
                    throw BenchmarkError("a patient client's search failed")
                }
                served += 1
                if SystemCall.now >= deadline { break }
            }
            print("\(served)")
        case .probe:
            let talk = try Dialogue(words[1])
            var times = Latencies()
            while SystemCall.now < deadline {
                let start = SystemCall.now
                guard Wire.isResult(talk.answer(to: cached, within: answerMax)) else {
                    throw BenchmarkError("a good client was not served")
                }
                times.record(SystemCall.now - start)
                SystemCall.pause(.milliseconds(1))
            }
            print("\(times.percentile(0.99))")
        }
    }

    private static func search(_ query: String) -> String {
        Wire.search(query, fairSource, #","limit":1,"timeout":60000"#)
    }

    private static func hold(_ count: Int, _ socketPath: String, _ print: (String) -> Void) {
        // The attack itself should use little of the processor.
        _ = nice(19)
        _ = platform_raise_descriptor_limit()
        let crowd = Crowd(socketPath)
        let unread = (1...searchesUnread).flatMap { _ in cached }
        for _ in 0..<count {
            crowd.join((1...10_000).flatMap { _ in Wire.ping }, byteWise: true)
            crowd.join(unread, byteWise: false)
        }
        print("\(crowd.count)")
        crowd.drive(until: .max) { true }
    }

    private static func rivals(_ count: Int, _ socketPath: String, _ print: (String) -> Void) throws {
        let talks = try (0..<count).map { _ in try Dialogue(socketPath) }
        var asked = 0
        func ask(_ talk: Dialogue) {
            asked += 1
            let hello = Wire.request(1, "server/hello", #"{"client":"name \#(asked)"}"#)
            talk.send(hello + Wire.request(2, "search", search("나그네 \(asked)")), until: SystemCall.now + 1_000_000_000)
        }
        for talk in talks { ask(talk) }
        print("\(talks.count)")
        while true {
            for talk in talks where talk.line(with: #""id":2"#, until: 0) != nil { ask(talk) }
            SystemCall.pause(.milliseconds(1))
        }
    }
}
