import Client
import JSON
import RPC
import SearchModel

/// Translates between the Model Context Protocol and the protocol of the daemon.
///
/// Does no input or output.
struct Translator {
    private struct PendingCall {
        let request: AgentRequest
        var method: MethodName
        var params: [UInt8]
        var purpose: Purpose
        var hits: [ExactText: JSONValue] = [:]
        var retries = 0
        var isRefused = false
    }

    private enum Purpose {
        case tool(ToolCall)
        case resourceList
        case resource(uri: String, QuotedText)
        case completion(Completion)
    }

    static let retriesMax = 3
    private static let daemonLimits = JSONLimits(depthMax: 256, bytesMax: 64 << 20)

    private let mark: () -> UInt32
    private let reader: PageCall.Reader
    private var session: Revision?
    private var pending: [Int: PendingCall] = [:]
    private var lastNumber = 0
    private var linesToAgent: [[UInt8]] = []
    private var linesToDaemon: [[UInt8]] = []

    init(reader: @escaping PageCall.Reader, mark: @escaping () -> UInt32) {
        (self.reader, self.mark) = (reader, mark)
    }

    var isIdle: Bool { pending.isEmpty }
    var hasLinesToDaemon: Bool { !linesToDaemon.isEmpty }

    mutating func takeLines() -> (toAgent: [[UInt8]], toDaemon: [[UInt8]]) {
        defer { (linesToAgent, linesToDaemon) = ([], []) }
        return (linesToAgent, linesToDaemon)
    }

    mutating func received(_ line: [UInt8]) {
        do throws(JSONError) {
            let root = try JSONDocument(line, limits: .wire).root
            for message in root.kind == .array ? root.elements : [root] { received(message) }
        } catch {
            fail(.null, AgentError(SearchError(.parseError, "not JSON: \(error.message)")))
        }
    }

    private mutating func received(_ message: JSONCursor) {
        let id = message[.id].flatMap(RequestID.init)
        guard message.kind == .object, message[.jsonrpc]?.string == "2.0", let method = message[.method]?.string,
            (id == nil) == (message[.id] == nil)
        else { return fail(id ?? .null, AgentError(SearchError(.invalidRequest, "not a JSON-RPC 2.0 request"))) }
        guard let id else {
            if method.hasSameBytes(as: "notifications/cancelled") { cancel(message[.params]?["requestId"]) }
            return
        }
        do throws(AgentError) {
            guard !pending.values.contains(where: { $0.request.id == id }) else {
                throw AgentError(SearchError(.duplicateId, "a request with this id is in flight"))
            }
            try begin(AgentRequest(id, method, message[.params], in: session))
        } catch {
            fail(id, error)
        }
    }

    private mutating func begin(_ request: AgentRequest) throws(AgentError) {
        switch request.method {
        case .initialize:
            let revision = try request.session()
            session = revision
            answer(request, .initialized(revision))
        case .discover: answer(request, .discovered)
        case .ping: answer(request, AgentResult([:]))
        case .listTools: answer(request, try request.onlyPage(Tool.list))
        case .callTool:
            var call = try ToolCall(request.params, mark: mark(), reader: reader)
            let streams = request.progressToken != nil && call.tool.method == .search
            do throws(SearchError) {
                let (method, params) = try call.begin(streams: streams)
                send(PendingCall(request: request, method: method, params: params, purpose: .tool(call)))
            } catch {
                answer(request, call.failed(error.json))
            }
        case .listResources:
            let params = LibraryResource.listParameters(try request.cursor())
            send(PendingCall(request: request, method: .libraryList, params: params, purpose: .resourceList))
        case .listResourceTemplates: answer(request, try request.onlyPage(LibraryResource.templates))
        case .readResource:
            let uri = request.params?["uri"]?.string ?? ""
            guard let params = LibraryResource.parameters(of: uri) else {
                throw .resourceNotFound(uri, in: request.revision)
            }
            let purpose = Purpose.resource(uri: uri, QuotedText(mark: mark()))
            send(PendingCall(request: request, method: .libraryGet, params: params, purpose: purpose))
        case .listPrompts: answer(request, try request.onlyPage(Prompts.list))
        case .getPrompt: answer(request, try Prompts.prompt(request.params))
        case .complete:
            let completion = try Completion(request.params)
            let (method, params) = completion.call
            send(PendingCall(request: request, method: method, params: params, purpose: .completion(completion)))
        }
    }

    private mutating func cancel(_ id: JSONCursor?) {
        guard let id = id.flatMap(RequestID.init),
            let number = pending.first(where: { $0.value.request.id == id })?.key
        else { return }
        pending[number] = nil
        linesToDaemon.append(RequestLine.cancellation(of: number))
    }

    private mutating func send(_ call: PendingCall) {
        lastNumber += 1
        pending[lastNumber] = call
        linesToDaemon.append(RequestLine.request(lastNumber, call.method, params: call.params))
    }

    mutating func answered(_ line: [UInt8]) {
        guard let root = try? JSONDocument(line, limits: Self.daemonLimits).root else { return }
        if let method = root[.method]?.string {
            guard let params = root[.params], let number = params[.request]?.int else { return }
            return notified(method, params, of: number)
        }
        guard let number = root[.id]?.int, let call = pending[number] else { return }
        if let error = root[.error]?.value {
            let kind = error[.data]?[.kind]?.string ?? ""
            // The call remains pending until `daemonEnded` sends it to the next daemon.
            if kind.hasSameBytes(as: SearchError.Kind.shuttingDown.rawValue), call.retries < Self.retriesMax {
                pending[number]?.isRefused = true
                return
            }
            pending[number] = nil
            failed(call, error)
        } else {
            pending[number] = nil
            succeeded(call, root[.result]?.value ?? .null)
        }
    }

    private mutating func notified(_ method: String, _ params: JSONCursor, of number: Int) {
        switch NotificationName(exactly: method) {
        case .hits:
            for hit in params[.hits]?.elements ?? [] {
                if let id = hit[.id]?.string { pending[number]?.hits[ExactText(id)] = hit.value }
            }
        case .progress:
            guard let token = pending[number]?.request.progressToken else { return }
            let (done, all) = (params[.answered]?.int ?? 0, params[.asked]?.int ?? 0)
            let names = (params[.waitingFor]?.elements ?? []).compactMap(\.string).joined(separator: ", ")
            let rest = names.isEmpty ? "" : "; waiting for \(names)"
            let params: JSONValue = [
                "progressToken": token, "progress": .number(JSONNumber(done)), "total": .number(JSONNumber(all)),
                "message": .string("\(done) of \(all) sources have answered\(rest)"),
            ]
            let notice: JSONValue = ["jsonrpc": "2.0", "method": "notifications/progress", "params": params]
            linesToAgent.append(notice.bytes)
        default: break
        }
    }

    private mutating func succeeded(_ call: PendingCall, _ document: JSONValue) {
        switch call.purpose {
        case .tool(var toolCall):
            switch toolCall.answered(document.withHits(call.hits)) {
            case .done(let result): answer(call.request, result)
            case .call(let method, let params):
                var next = call
                (next.method, next.params, next.purpose) = (method, params, .tool(toolCall))
                send(next)
            }
        case .resourceList: answer(call.request, LibraryResource.list(document))
        case .resource(let uri, let quote): answer(call.request, LibraryResource.contents(document, at: uri, quote))
        case .completion(let completion): answer(call.request, completion.result(document))
        }
    }

    private mutating func failed(_ call: PendingCall, _ error: JSONValue) {
        let request = call.request
        switch call.purpose {
        case .tool(let toolCall): answer(request, toolCall.failed(error))
        case .resource(let uri, _) where error[.data]?[.kind]?.string == SearchError.Kind.notFound.rawValue:
            fail(request.id, .resourceNotFound(uri, in: request.revision))
        case .resource, .resourceList, .completion: fail(request.id, AgentError(error))
        }
    }

    /// Sends repeatable calls again, to the next daemon.
    ///
    /// All other calls fail.
    mutating func daemonEnded() {
        linesToDaemon = []
        let error = SearchError(.unavailable, "the search service ended before it answered", retryable: true)
        for number in pending.keys.sorted() {
            guard var call = pending.removeValue(forKey: number) else { continue }
            var mayRepeat = true
            if case .tool(let toolCall) = call.purpose {
                mayRepeat = call.isRefused || toolCall.tool.about.isIdempotent
            }
            (call.hits, call.isRefused) = ([:], false)
            call.retries += 1
            if mayRepeat, call.retries <= Self.retriesMax { send(call) } else { failed(call, error.json) }
        }
    }

    mutating func daemonIsUnreachable(_ error: SearchError) {
        linesToDaemon = []
        let calls = pending.sorted { $0.key < $1.key }
        pending = [:]
        for (_, call) in calls { failed(call, error.json) }
    }

    private mutating func answer(_ request: AgentRequest, _ result: AgentResult) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(.jsonrpc, "2.0")
            writer.member(.id, raw: request.id.text)
            writer.member(.result, raw: result.bytes(in: request.revision))
        }
        linesToAgent.append(writer.bytes)
    }

    private mutating func fail(_ id: RequestID, _ error: AgentError) {
        var writer = JSONWriter()
        MessageWriter.failure(id, to: &writer) { $0.value(error.json) }
        linesToAgent.append(writer.bytes)
    }
}

extension JSONValue {
    /// Adds the streamed hits in the order that the result gives.
    fileprivate func withHits(_ hits: [ExactText: JSONValue]) -> JSONValue {
        guard let order = self[.order]?.array else { return self }
        let list = order.compactMap { id -> JSONValue? in
            guard let id = id.string, let hit = hits[ExactText(id)] else { return nil }
            guard let others = self[.alsoFrom]?[id] else { return hit }
            let members = (hit.members ?? []).filter { $0.name != Member.alsoFrom.description }
            return .object(members + [JSONMember(.alsoFrom, others)])
        }
        let ends = [Member.order, .alsoFrom, .sameAs].map(\.description)
        return .object([JSONMember(.hits, .array(list))] + (members ?? []).filter { !ends.contains($0.name) })
    }
}
