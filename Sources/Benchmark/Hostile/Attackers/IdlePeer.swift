import CPlatform
import EventLoop
import Glibc

/// A program that opens as many connections as it can, prints how many are served, and keeps them until it is stopped.
enum IdlePeer {
    /// It gives up after so many refusals in a row.
    private static let refusalsMax = 3

    static func run(_ arguments: [String], say: (String) -> Void) throws(BenchmarkError) -> BenchmarkError {
        var reader = ArgumentReader(arguments)
        let values = try reader.values(of: ["--socket", "--connections"], for: "idle-peer")
        let connections = try ArgumentReader.number(values[1], of: "--connections", 1...16_384)
        _ = platform_raise_descriptor_limit()
        let talks = take(connections, values[0])
        say("\(talks.count)")
        while true { SystemCall.pause(.seconds(60)) }
    }

    private static func take(_ connections: Int, _ socketPath: String) -> [Dialogue] {
        var talks: [Dialogue] = []
        var refusals = 0
        while talks.count < connections, refusals < refusalsMax {
            if let talk = try? Dialogue(socketPath), Wire.isServed(talk) {
                talks.append(talk)
                refusals = 0
            } else {
                refusals += 1
            }
        }
        return talks
    }
}
