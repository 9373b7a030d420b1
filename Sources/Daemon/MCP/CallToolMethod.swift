import Engine
import EventLoop
import JSON
import MCP
import RPC
import SearchModel

/// A tool is called: a method of the daemon, whose answer is cleaned and set apart as data.
struct CallToolMethod: AgentMethod {
    let tools: ToolList
    /// Draws the mark of a quotation.
    let mark: @Sendable () -> UInt32

    let name = AgentMethodName.callTool

    func begin(_ request: AgentRequest, _ call: Call) throws(AgentError) -> Beginning {
        let toolCall = try ToolCall(call.params, of: tools)
        let result = ToolResult(toolCall.entry, QuotedText(mark: mark()), in: request.revision)
        return ToolRun(toolCall: toolCall, request: request, call: call, result: result).begin()
    }
}

/// One call of a tool, from its method to its result.
private struct ToolRun: Sendable {
    let toolCall: ToolCall
    let request: AgentRequest
    let call: Call
    let result: ToolResult

    /// What an answer takes beside that of the method: the same once more as text, and escaped.
    private static let copies = 4

    /// What becomes of a method's answer.
    private enum Outcome {
        case done(Reply)
        /// It is too long.
        case again(ToolResult.Cut)
    }

    func begin() -> Beginning {
        let beginning: Beginning
        do throws(SearchError) {
            beginning = try call.begin(toolCall.entry.method.name, toolCall.params(), for: request)
        } catch {
            return .answered(failure(error))
        }
        switch beginning {
        case .answered(let reply), .superseding(let reply, channel: _):
            switch outcome(reply) {
            case .done(let reply): return .answered(reply)
            case .again(let cut): return shortened(to: cut)
            }
        case .repeatable(let reply, let answer):
            switch outcome(reply) {
            case .done(let reply): return repeatable(reply, answer)
            case .again(let cut): return shortened(to: cut)
            }
        case .running(channel: _, streams: _, let memory, let work):
            let reserved = memory + Self.copies * toolCall.maxBytes
            return .running(channel: nil, streams: request.progressToken != nil, memory: reserved) { stream in
                await finish(work, stream)
            }
        }
    }

    private func finish(_ work: Request.Work, _ stream: RequestStream) async -> Reply {
        let reply: Reply
        do throws(SearchError) {
            reply = try await work(stream)
        } catch {
            return failure(error)
        }
        switch outcome(reply) {
        case .done(let reply): return reply
        case .again(let cut):
            switch shortened(to: cut) {
            case .answered(let reply), .superseding(let reply, channel: _), .repeatable(let reply, _): return reply
            case .running(channel: _, streams: _, memory: _, let work):
                return (try? await work(stream)) ?? .result(cut.shortened)
            }
        }
    }

    /// The answer for fewer elements of the list, whose cursor goes on behind them: what it is made of is cached by
    /// now.
    ///
    /// Where that fails the list is cut as it is.
    private func shortened(to cut: ToolResult.Cut) -> Beginning {
        let asIs = Beginning.answered(.result(cut.shortened))
        guard !toolCall.isPrivate else { return asIs }
        let params = toolCall.params(limit: cut.keeps)
        guard let beginning = try? call.begin(toolCall.entry.method.name, params, for: request) else { return asIs }
        switch beginning {
        case .answered(let reply), .superseding(let reply, channel: _):
            return .answered(written(reply, cut) ?? .result(cut.shortened))
        case .repeatable(let reply, let answer):
            return written(reply, cut).map { repeatable($0, answer) } ?? asIs
        case .running(channel: _, streams: _, let memory, let work):
            return .running(channel: nil, memory: memory) { stream in
                let reply = try? await work(stream)
                return reply.flatMap { written($0, cut) } ?? .result(cut.shortened)
            }
        }
    }

    /// The result of the second, shorter answer; nil when it is none, or too long again.
    private func written(_ reply: Reply, _ cut: ToolResult.Cut) -> Reply? {
        guard let document = document(of: reply),
            case .result(let bytes) = try? result.outcome(document, maxBytes: toolCall.maxBytes, leftOut: cut.leftOut)
        else { return nil }
        return .result(bytes)
    }

    private func outcome(_ reply: Reply) -> Outcome {
        if case .failure(let error) = reply { return .done(failure(error)) }
        guard let document = document(of: reply) else { return .done(reply) }
        do throws(JSONError) {
            switch try result.outcome(document, maxBytes: toolCall.maxBytes) {
            case .result(let bytes): return .done(.result(bytes))
            case .tooLong(let cut): return .again(cut)
            }
        } catch {
            return .done(failure(SearchError(.internal, "the answer could not be read again")))
        }
    }

    /// The result of a method as JSON; nil for a failure, and for a picture, which no tool gives.
    private func document(of reply: Reply) -> [UInt8]? {
        switch reply {
        case .result(let bytes): bytes
        case .search(let template, startedAt: _): template.bytes(at: call.session.shared.loop.now)
        case .failure, .refusal, .picture: nil
        }
    }

    /// Wrong arguments are errors of the request, all else is for the model to read.
    private func failure(_ error: SearchError) -> Reply {
        error.kind == .invalidParams ? .refusal(toolCall.refusal(error)) : .result(result.failure(error))
    }

    /// The answer may be given again to a request with the same text, if that says all that it depends on.
    private func repeatable(_ reply: Reply, _ answer: RepeatableAnswer) -> Beginning {
        guard request.revision.isStateless, case .result(let bytes) = reply else { return .answered(reply) }
        var template = AnswerTemplate()
        template.append(literal: bytes)
        return .repeatable(
            reply,
            RepeatableAnswer(
                template: template,
                validity: answer.validity,
                pageCount: answer.pageCount,
                validUntil: answer.validUntil,
                isPersonal: answer.isPersonal,
                whenGiven: answer.whenGiven,
                noteBytes: answer.noteBytes
            )
        )
    }
}
