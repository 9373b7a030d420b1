import CPlatform
import EventLoop
import Glibc

/// A program that takes as many connections as it can get, says how many are served, and keeps them until it is stopped.
enum IdlePeer {
    /// How long a connection may take over its first answer.
    private static let answerNanosecondsMax: Int64 = 2_000_000_000
    /// After so many in a row that were not served there will be no more.
    private static let refusalsMax = 3

    static func run(_ arguments: [String], say: (String) -> Void) throws(BenchmarkError) -> BenchmarkError {
        var reader = ArgumentReader(arguments)
        var socketPath: String?
        var connections = 1
        while let name = reader.next() {
            switch name {
            case "--socket": socketPath = try reader.value(after: name)
            case "--connections": connections = try reader.number(after: name, 1...16_384)
            default: throw reader.refusal("idle-peer knows no \(name)")
            }
        }
        guard let socketPath else { throw reader.refusal("idle-peer needs --socket") }
        _ = platform_raise_descriptor_limit()
        let talks = take(connections, socketPath)
        say("\(talks.count)")
        while true { SystemCall.pause(.seconds(60)) }
    }

    private static func take(_ connections: Int, _ socketPath: String) -> [Dialogue] {
        var talks: [Dialogue] = []
        var refusals = 0
        while talks.count < connections, refusals < refusalsMax {
            if let talk = try? Dialogue(socketPath), isServed(talk) {
                talks.append(talk)
                refusals = 0
            } else {
                refusals += 1
            }
        }
        return talks
    }

    private static func isServed(_ talk: Dialogue) -> Bool {
        let deadline = SystemCall.now + answerNanosecondsMax
        guard talk.send(Wire.ping, until: deadline), let line = talk.line(until: deadline) else { return false }
        return Wire.isResult(line)
    }
}
