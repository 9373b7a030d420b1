import Client
import JSON
import RPC
import SearchModel

/// Translates between an agent, which speaks the Model Context Protocol, and the daemon.
///
/// Each request of the agent is answered exactly once, unless the agent cancels it. Pure: takes lines of both sides, and
/// collects the lines for both sides until they are taken.
struct Translator {
    /// A call of the daemon for a request of the agent.
    private struct Work {
        let request: AgentRequest
        let method: MethodName
        var params: [UInt8]
        var purpose: Purpose
        /// The hits that have arrived, by their ids.
        var hits: [ExactText: JSONValue] = [:]
        /// How often a daemon has ended before it answered.
        var losses = 0
        /// Whether the daemon refused it because it is shutting down.
        var isRefused = false
    }

    /// What becomes of the daemon's answer.
    private enum Purpose {
        case tool(ToolCall)
        case resourceList
        case resource(uri: String, QuotedText)
        case completion(Completion)
    }

    /// How often a request is sent again at most.
    static let lossesMax = 3
    private static let daemonLimits = JSONLimits(depthMax: 256, bytesMax: 64 << 20)

    private let mark: () -> UInt32
    private var session: Revision?
    private var working: [Int: Work] = [:]
    private var lastNumber = 0
    private var linesToAgent: [[UInt8]] = []
    private var linesToDaemon: [[UInt8]] = []

    /// - Parameter mark: Returns a random number, for the mark of a quotation.
    init(mark: @escaping () -> UInt32) {
        self.mark = mark
    }

    /// Whether every request is answered.
    var isIdle: Bool { working.isEmpty }
    var hasLinesToDaemon: Bool { !linesToDaemon.isEmpty }

    /// The lines that are to be sent now, without their ends.
    mutating func takeLines() -> (toAgent: [[UInt8]], toDaemon: [[UInt8]]) {
        defer { (linesToAgent, linesToDaemon) = ([], []) }
        return (linesToAgent, linesToDaemon)
    }

    // MARK: The agent

    /// The agent has sent a line; the messages of a batch are answered one by one.
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
            guard !working.values.contains(where: { $0.request.id == id }) else {
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
            var call = try ToolCall(request.params, mark: mark())
            let streams = request.progressToken != nil && call.tool.method == .search
            do throws(SearchError) {
                let params = try call.parameters(streams: streams)
                send(Work(request: request, method: call.tool.method, params: params, purpose: .tool(call)))
            } catch {
                answer(request, call.failed(error.json))
            }
        case .listResources:
            let params = LibraryResource.listParameters(try request.cursor())
            send(Work(request: request, method: .libraryList, params: params, purpose: .resourceList))
        case .listResourceTemplates: answer(request, try request.onlyPage(LibraryResource.templates))
        case .readResource:
            let uri = request.params?["uri"]?.string ?? ""
            guard let params = LibraryResource.parameters(of: uri) else {
                throw .resourceNotFound(uri, in: request.revision)
            }
            let purpose = Purpose.resource(uri: uri, QuotedText(mark: mark()))
            send(Work(request: request, method: .libraryGet, params: params, purpose: purpose))
        case .listPrompts: answer(request, try request.onlyPage(Prompts.list))
        case .getPrompt: answer(request, try Prompts.prompt(request.params))
        case .complete:
            let completion = try Completion(request.params)
            let (method, params) = completion.call
            send(Work(request: request, method: method, params: params, purpose: .completion(completion)))
        }
    }

    private mutating func cancel(_ id: JSONCursor?) {
        guard let id = id.flatMap(RequestID.init),
            let number = working.first(where: { $0.value.request.id == id })?.key
        else { return }
        working[number] = nil
        linesToDaemon.append(RequestLine.cancellation(of: number))
    }

    // MARK: The daemon

    private mutating func send(_ work: Work) {
        lastNumber += 1
        working[lastNumber] = work
        linesToDaemon.append(RequestLine.request(lastNumber, work.method, params: work.params))
    }

    /// The daemon has sent a line.
    mutating func answered(_ line: [UInt8]) {
        guard let root = try? JSONDocument(line, limits: Self.daemonLimits).root else { return }
        if let method = root[.method]?.string {
            guard let params = root[.params], let number = params[.request]?.int else { return }
            return noticed(method, params, of: number)
        }
        guard let number = root[.id]?.int, let work = working[number] else { return }
        if let error = root[.error]?.value {
            let kind = error[.data]?[.kind]?.string ?? ""
            // Another daemon is asked as soon as this one has ended.
            if kind.hasSameBytes(as: SearchError.Kind.shuttingDown.rawValue), work.losses < Self.lossesMax {
                working[number]?.isRefused = true
                return
            }
            working[number] = nil
            failed(work, error)
        } else {
            working[number] = nil
            succeeded(work, root[.result]?.value ?? .null)
        }
    }

    private mutating func noticed(_ method: String, _ params: JSONCursor, of number: Int) {
        switch NotificationName(exactly: method) {
        case .hits:
            for hit in params[.hits]?.elements ?? [] {
                if let id = hit[.id]?.string { working[number]?.hits[ExactText(id)] = hit.value }
            }
        case .progress:
            guard let token = working[number]?.request.progressToken else { return }
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

    private mutating func succeeded(_ work: Work, _ document: JSONValue) {
        switch work.purpose {
        case .tool(var call):
            switch call.answered(document.withHits(work.hits)) {
            case .done(let result): answer(work.request, result)
            case .again(let params):
                var again = work
                (again.params, again.purpose) = (params, .tool(call))
                send(again)
            }
        case .resourceList: answer(work.request, LibraryResource.list(document))
        case .resource(let uri, let quote): answer(work.request, LibraryResource.contents(document, at: uri, quote))
        case .completion(let completion): answer(work.request, completion.result(document))
        }
    }

    private mutating func failed(_ work: Work, _ error: JSONValue) {
        let request = work.request
        switch work.purpose {
        case .tool(let call): answer(request, call.failed(error))
        case .resource(let uri, _) where error[.data]?[.kind]?.string == SearchError.Kind.notFound.rawValue:
            fail(request.id, .resourceNotFound(uri, in: request.revision))
        case .resource, .resourceList, .completion: fail(request.id, AgentError(error))
        }
    }

    /// The daemon has closed the connection: requests that may be repeated are to be sent to another one.
    mutating func daemonEnded() {
        linesToDaemon = []
        let lost = SearchError(.unavailable, "the search service ended before it had answered", retryable: true)
        for number in working.keys.sorted() {
            guard var work = working.removeValue(forKey: number) else { continue }
            var mayRepeat = true
            if case .tool(let call) = work.purpose { mayRepeat = work.isRefused || call.tool.about.isIdempotent }
            (work.hits, work.isRefused) = ([:], false)
            work.losses += 1
            if mayRepeat, work.losses <= Self.lossesMax { send(work) } else { failed(work, lost.json) }
        }
    }

    /// No daemon can be reached: all requests fail.
    mutating func daemonIsUnreachable(_ error: SearchError) {
        linesToDaemon = []
        let lost = working.sorted { $0.key < $1.key }
        working = [:]
        for (_, work) in lost { failed(work, error.json) }
    }

    // MARK: Answers

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
    /// The end of a stream as a whole answer, with its hits instead of their order.
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
