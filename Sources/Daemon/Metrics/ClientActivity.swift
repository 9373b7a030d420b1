import EventLoop
import JSON
import RPC
import SearchModel

/// The current requests of a client.
///
/// All connections of a process that give the same client name belong to one client.
struct ClientActivity {
    struct Work {
        var count = 0
        var age = Duration.zero
    }

    private struct Key: Hashable {
        let userID: UInt32
        let processID: Int32
        let name: String?
    }

    private let key: Key
    private var connections = 0
    private var requests = 0
    private var streams = 0
    private var channels = 0
    private var work: [String: Work] = [:]

    var userID: UInt32 { key.userID }

    static func all(of sessions: some Sequence<Session>, at now: Instant) -> [ClientActivity] {
        var clients: [Key: ClientActivity] = [:]
        for session in sessions {
            let key = Key(userID: session.peer.userID, processID: session.peer.processID, name: session.clientName)
            clients[key, default: ClientActivity(key: key)].add(session, at: now)
        }
        return clients.values.sorted { left, right in
            if left.requests != right.requests { return left.requests > right.requests }
            if left.connections != right.connections { return left.connections > right.connections }
            return (left.key.processID, left.key.name ?? "") < (right.key.processID, right.key.name ?? "")
        }
    }

    private init(key: Key) {
        self.key = key
    }

    private mutating func add(_ session: Session, at now: Instant) {
        connections += 1
        channels += session.requests.channelCount
        for request in session.requests.all {
            requests += 1
            if request.streams { streams += 1 }
            guard !session.server.counters.uncounted.contains(request.method) else { continue }
            var same = work[request.method] ?? Work()
            same.count += 1
            same.age = max(same.age, request.receivedAt.duration(to: now))
            work[request.method] = same
        }
    }

    func write(to writer: inout JSONWriter) {
        // If the kernel does not distinguish users, every user may appear as `nobody`.
        let isKnown = key.userID != UserMap.nobody || UserMap.distinguishesUsers
        writer.member(.uid, isKnown ? Int(key.userID) : nil)
        writer.member(.pid, Int(key.processID))
        writer.member(.program, key.name ?? Self.processName(key.processID))
        writer.member(.connections, connections)
        writer.member(.requests, requests)
        writer.member(.streams, streams)
        writer.member(.channels, channels)
        writer.array(.doing) { writer in
            for (method, work) in work.sorted(by: { $0.value.age > $1.value.age }) {
                writer.object { writer in
                    writer.member(.method, method)
                    writer.member(.count, work.count)
                    writer.member(.age, work.age.milliseconds.rounded())
                }
            }
        }
    }

    private static func processName(_ processID: Int32) -> String? {
        guard let file = try? SmallFile.read("/proc/\(processID)/comm", bytesMax: 64) else { return nil }
        let name = String(decoding: file.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}
