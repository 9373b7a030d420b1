import EventLoop
import Glibc
import JSON

/// A searchd with a library of its own, whose file can be looked at.
final class LibraryPeer {
    static let step = 1_000
    private static let answerNanosecondsMax: Int64 = 60_000_000_000

    let peer: Peer
    let file: String

    init(_ factory: PeerFactory) throws(BenchmarkError) {
        let plan = try factory.plan(.searchd)
        let directory = plan.socketPath.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        file = "\(directory)/state/personal/\(getuid()).sqlite"
        peer = try factory.launch(plan)
        try peer.awaitReady(pausing: .milliseconds(1))
    }

    func talk() throws(BenchmarkError) -> Dialogue { try Dialogue(peer.socketPath) }

    /// The result of a request.
    func ask(_ talk: Dialogue, _ method: String, _ params: String) throws(BenchmarkError) -> JSONCursor {
        let line = talk.answer(to: Wire.request(1, method, params), within: Self.answerNanosecondsMax)
        guard let result = Wire.result(line) else {
            let text = String(decoding: (line ?? []).prefix(400), as: UTF8.self)
            throw peer.process.failure("answered \(method) with \(text)")
        }
        return result
    }

    /// Saves hits, as many in a step as may be.
    func save(_ hits: [JSONValue]) throws(BenchmarkError) {
        let talk = try talk()
        for start in stride(from: 0, to: hits.count, by: Self.step) {
            _ = try ask(talk, "library/save", Self.params(hits[start..<min(start + Self.step, hits.count)]))
        }
    }

    /// Has it write what waits for its index of words, which a search does.
    ///
    /// - Returns: Nanoseconds until that was answered.
    func search() throws(BenchmarkError) -> Int64 {
        let talk = try talk()
        let start = SystemCall.now
        _ = try ask(talk, "library/list", Self.wordParams)
        return SystemCall.now - start
    }

    static let wordParams = #"{"query":"고양이","limit":1}"#

    static func params(_ hits: ArraySlice<JSONValue>) -> String {
        String(decoding: JSONValue.object([JSONMember("items", .array(Array(hits)))]).bytes, as: UTF8.self)
    }

    /// Ends the daemon, so that its file is whole, and copies that.
    func copyOfFile(_ name: String) throws(BenchmarkError) -> String {
        peer.process.stop()
        let copy = "\(file).\(name)"
        let process = try ChildProcess(Command(program: "cp", arguments: [file, copy]))
        guard process.exitStatus() == 0 else { throw process.failure("could not copy \(file)") }
        return copy
    }
}
