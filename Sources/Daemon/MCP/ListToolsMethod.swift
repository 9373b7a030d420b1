import EventLoop
import MCP

/// The tools, with what is left of the quotas of sources.
///
/// The answer is ready: it is written anew only when the quotas have changed, and at most once in `keptFor`.
struct ListToolsMethod: AgentMethod {
    /// For how long an answer is given again without a look at the quotas.
    static let keptFor = Duration.seconds(1)

    private struct Written {
        let bytes: [UInt8]
        let quotas: [QuotaNote]
        var checkedAt: Instant
    }

    let tools: ToolList
    /// Called on the loop.
    let quotas: @Sendable () -> [QuotaNote]
    private let written = Locked<[Revision: Written]>([:])

    let name = AgentMethodName.listTools

    init(tools: ToolList, quotas: @escaping @Sendable () -> [QuotaNote]) {
        self.tools = tools
        self.quotas = quotas
    }

    func begin(_ request: AgentRequest, _ call: Call) throws(AgentError) -> Beginning {
        try ListCursor.requireNone(call.params)
        let (revision, now) = (request.revision, call.receivedAt)
        let bytes = written.withLock { written in
            if let last = written[revision], last.checkedAt.duration(to: now) < Self.keptFor { return last.bytes }
            let quotas = quotas()
            let last = written[revision].flatMap { $0.quotas == quotas ? $0.bytes : nil }
            let bytes = last ?? tools.result(quotas, in: revision).bytes(in: revision)
            written[revision] = Written(bytes: bytes, quotas: quotas, checkedAt: now)
            return bytes
        }
        return .answered(.result(bytes))
    }
}
