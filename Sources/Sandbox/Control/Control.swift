package import EventLoop
package import HTTP
import JSON

/// The paths under `/_sandbox/`, with which tests control the mock server.
enum Control {
    static let prefix = "/_sandbox/"

    static func json(_ value: JSONValue, status: Int = 200) -> HTTPAnswer {
        HTTPAnswer(.of(status, "application/json", value.bytes + [UInt8(ascii: "\n")]))
    }

    static func problem(_ status: Int, _ message: String) -> HTTPAnswer {
        json(["error": .string(message)], status: status)
    }
}

extension SandboxResponder {
    mutating func control(
        _ request: HTTPRequest,
        path: Substring,
        _ query: Substring,
        at instant: Int64
    ) -> HTTPAnswer {
        let isPost = request.method == "POST"
        switch path {
        case "counts": return Control.json(counts.json)
        case "spent": return Control.json(.object(world.spent.map { JSONMember($0.key, .integer($0.value)) }))
        case "faults": return Control.json(.strings(FaultRule.names(for: Parameters(query)["source"] ?? "*")))
        case "options" where isPost: return changeOptions(request.body)
        case "reset" where isPost:
            reset()
            return Control.json(counts.json)
        case "options", "reset": return Control.problem(405, "this path requires POST")
        case "loop": return HTTPAnswer(GeneralFault.redirect(to: "\(options.base)/_sandbox/loop"))
        case _ where Picture.isAt(path): return picture(request, path, query)
        case _ where path.hasPrefix("moved/"): return moved(request, at: instant)
        default: return Control.problem(404, "unknown control path")
        }
    }

    /// Answers a request that follows the fault `redirect`; this answer has no faults.
    private mutating func moved(_ request: HTTPRequest, at instant: Int64) -> HTTPAnswer {
        var moved = request
        moved.url = String(request.url.dropFirst(Control.prefix.utf8.count + "moved".utf8.count))
        let faults = options.faults
        world.options.faults = []
        defer { world.options.faults = faults }
        return respond(to: moved, at: instant)
    }

    private mutating func picture(_ request: HTTPRequest, _ path: Substring, _ query: Substring) -> HTTPAnswer {
        var answer = HTTPAnswer(Picture.response(path: path, query: query))
        fail(&answer, faults.draw(options.faults, source: Picture.source), request)
        counts.answered(Picture.source, request.url, status: answer.response.status)
        return answer
    }

    private mutating func changeOptions(_ body: [UInt8]) -> HTTPAnswer {
        do throws(OptionsProblem) {
            guard let value = try? JSONDocument(body).root.value else { throw OptionsProblem("the body is not JSON") }
            var changed = options
            try changed.apply(value)
            options = changed
            return Control.json([:])
        } catch {
            return Control.problem(400, error.message)
        }
    }
}

package typealias SandboxServer = HTTPServer<SandboxResponder>

extension HTTPServer where Handler == SandboxResponder {
    package static func start(
        on loop: EventLoop,
        port: UInt16 = 0,
        options: SandboxOptions = SandboxOptions(),
        connectionsMax: Int = 4096
    ) async throws(SystemError) -> SandboxServer {
        let responder = SandboxResponder(options: options)
        let server = try SandboxServer(on: loop, port: port, connectionsMax: connectionsMax, handler: responder)
        let base = server.base
        await server.change { $0.base = base }
        try await server.listen()
        return server
    }

    package var counts: SandboxCounts { handler.counts }

    package var options: SandboxOptions { handler.options }

    package func change(_ body: @Sendable (inout SandboxOptions) -> Void) { body(&handler.options) }

    package func reset() { handler.reset() }
}
