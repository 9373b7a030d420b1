import Engine
import JSON
import MCP
import RPC
import SearchModel

/// How far a search has come, for an agent that has given a token for it.
struct AgentProgress: Sendable {
    /// Its JSON text.
    let token: [UInt8]
    let answered: Int
    let asked: Int
    let out: [SourceName]

    /// About as many bytes as it takes, or more.
    var bytesMax: Int { 256 + token.count + out.reduce(0) { $0 + $1.text.utf8.count + 2 } }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member(.progressToken, raw: token)
            writer.member(.progress, answered)
            writer.member(.total, asked)
            let names = out.map(\.text).joined(separator: ", ")
            let rest = out.isEmpty ? "" : "; waiting for \(names)"
            writer.member(.message, "\(answered) of \(asked) sources have answered\(rest)")
        }
    }
}

/// Tells an agent how far its search has come.
struct AgentObserver: SearchObserver {
    let stream: RequestStream
    let token: [UInt8]

    func progress(answered: Int, asked: Int, waitingFor out: [SourceName]) async {
        await stream.tell(.agentProgress(AgentProgress(token: token, answered: answered, asked: asked, out: out)))
    }

    func hits(_ hits: [HitPosition], from source: SourceName) async {}
    func waiting(_ notice: WaitNotice, on source: SourceName) async {}
    func source(_ report: SourceReport) async {}
}
