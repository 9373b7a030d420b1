import Engine
import EventLoop
import JSON
import RPC
import SearchModel
import Upstream

/// Who is connected and which calls failed, as `server/stats` lists them.
extension DaemonFigures {
    func writeClients(to writer: inout JSONWriter, where isShown: (_ userID: UInt32) -> Bool) {
        let tellsUsersApart = UserMap.tellsUsersApart
        writer.array(.clients) { writer in
            for client in clients.filter({ isShown($0.userID) }).prefix(ClientActivity.toldMax) {
                // A user who can't be told from others has no number.
                let isKnown = tellsUsersApart || client.userID != UserMap.nobody
                writer.object { Self.write(client, userID: isKnown ? client.userID : nil, to: &$0) }
            }
        }
    }

    private static func write(_ client: ClientActivity, userID: UInt32?, to writer: inout JSONWriter) {
        writer.member(.uid, userID.map(Int.init))
        writer.member(.pid, Int(client.processID))
        writer.member(.program, client.name ?? ProcessName.of(client.processID))
        writer.member(.connections, client.connections)
        writer.member(.requests, client.requests)
        writer.member(.streams, client.streams)
        writer.member(.channels, client.channels)
        writer.array(.doing) { writer in
            for (method, work) in client.work.sorted(by: { $0.value.age > $1.value.age }) {
                writer.object { writer in
                    writer.member(.method, method)
                    writer.member(.count, work.count)
                    writer.member(.age, work.age.milliseconds.rounded())
                }
            }
        }
    }

    func writeErrors(to writer: inout JSONWriter) {
        writer.array(.errors) { writer in
            for error in engine.errors {
                writer.object { writer in
                    writer.member(.source, error.source.text)
                    writer.member(.kind, error.kind.rawValue)
                    writer.member(.count, error.count)
                    writer.member(.first, RFC3339.text(error.firstAt))
                    writer.member(.last, RFC3339.text(error.lastAt))
                }
            }
        }
    }
}

/// The name of a process, as far as this one may see it.
enum ProcessName {
    private static let bytesMax = 64

    static func of(_ processID: Int32) -> String? {
        guard let file = try? SmallFile.read("/proc/\(processID)/comm", bytesMax: bytesMax) else { return nil }
        let name = String(decoding: file.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}
