import HTTP
import JSON

/// The mock server's own paths, under `/_sandbox/`.
enum Control {
    static let prefix = "/_sandbox/"

    static func json(_ value: JSONValue, status: Int = 200) -> HTTPAnswer {
        HTTPAnswer(.of(status, "application/json", Body(indent: "  ", colon: ": ").bytes(value)))
    }

    static func problem(_ status: Int, _ message: String) -> HTTPAnswer {
        json(.object([JSONMember("error", .string(message))]), status: status)
    }
}

extension SandboxResponder {
    mutating func control(
        _ request: HTTPRequest,
        path: Substring,
        _ parameters: Parameters,
        at instant: Int64
    ) -> HTTPAnswer {
        let isPost = request.method == "POST"
        switch path {
        case "counts": return Control.json(counts.json)
        case "faults": return Control.json(.strings(FaultRule.names(for: parameters["source"] ?? "*")))
        case "options" where isPost: return changeOptions(request.body)
        case "options": return Control.json(options.json)
        case "reset" where isPost:
            reset()
            return Control.json(counts.json)
        case "reset": return Control.problem(405, "reset takes POST")
        case "truth": return truth(parameters, at: instant)
        case "loop": return HTTPAnswer(GeneralFault.redirect(to: "\(options.base)/_sandbox/loop"))
        case _ where Picture.isAt(path): return picture(request, path, parameters)
        case _ where path.hasPrefix("moved/"): return moved(request, at: instant)
        default: return Control.problem(404, "unknown control path")
        }
    }

    /// The answer that a redirect moved, now without faults.
    private mutating func moved(_ request: HTTPRequest, at instant: Int64) -> HTTPAnswer {
        var moved = request
        moved.url = String(request.url.dropFirst(Control.prefix.utf8.count + "moved".utf8.count))
        let faults = options.faults
        world.options.faults = []
        defer { world.options.faults = faults }
        return respond(to: moved, at: instant)
    }

    /// A picture, which is counted and can have faults like an answer.
    private mutating func picture(_ request: HTTPRequest, _ path: Substring, _ parameters: Parameters) -> HTTPAnswer {
        var answer = HTTPAnswer(Picture.response(path: path, parameters))
        for rule in faults.draw(options.faults, source: Picture.source) {
            counts.failed(rule.name)
            GeneralFault(rawValue: rule.name)?.apply(rule, to: &answer, request: request, base: options.base)
        }
        counts.answered(Picture.source, status: answer.response.status)
        return answer
    }

    private mutating func changeOptions(_ body: [UInt8]) -> HTTPAnswer {
        do throws(OptionsProblem) {
            guard let value = try? JSONDocument(body).root.value else { throw OptionsProblem("the body is not JSON") }
            var changed = options
            try changed.apply(value)
            options = changed
            return Control.json(options.json)
        } catch {
            return Control.problem(400, error.message)
        }
    }

    private func truth(_ parameters: Parameters, at instant: Int64) -> HTTPAnswer {
        guard let source = parameters["source"], let query = parameters["query"],
            let truth = truth(of: source, query: query, sort: parameters["sort"], at: instant)
        else { return Control.problem(400, "truth takes a known source, a query, and optionally a known sort") }
        return Control.json([
            "total": .integer(truth.total), "reachable": .integer(truth.reachable), "ids": .strings(truth.ids),
        ])
    }
}

/// The server of the mock APIs.
package typealias SandboxServer = HTTPServer<SandboxResponder>
