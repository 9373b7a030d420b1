import HTTP
import JSON

/// The sandbox's own paths, under `/_sandbox/`.
enum Control {
    static let prefix = "/_sandbox/"
    static let jsonType = "application/json"

    static func json(_ value: JSONValue, status: Int = 200) -> SandboxAnswer {
        SandboxAnswer(.of(status, jsonType, Body(indent: "  ", colon: ": ").bytes(value)))
    }

    static func problem(_ status: Int, _ message: String) -> SandboxAnswer {
        json(Body.object(["error": .string(message)]), status: status)
    }
}

extension SandboxResponder {
    mutating func control(
        _ request: HTTPRequest,
        path: Substring,
        _ parameters: Parameters,
        at instant: Int64
    ) -> SandboxAnswer {
        let isPost = request.method == "POST"
        switch path {
        case "counts": return Control.json(counts.json)
        case "faults":
            return Control.json(.strings(FaultRule.names(for: parameters["source"] ?? "*")))
        case "options" where isPost: return changeOptions(request.body)
        case "options": return Control.json(options.json)
        case "reset" where isPost:
            reset()
            return Control.json(counts.json)
        case "reset": return Control.problem(405, "reset takes POST")
        case "truth": return truth(parameters, at: instant)
        case "loop": return SandboxAnswer(GeneralFault.redirect(to: "\(options.base)/_sandbox/loop"))
        default: return below(request, path: path, parameters, at: instant)
        }
    }

    /// The paths that carry something behind their name.
    private mutating func below(
        _ request: HTTPRequest,
        path: Substring,
        _ parameters: Parameters,
        at instant: Int64
    ) -> SandboxAnswer {
        if Picture.isAt(path) { return picture(request, path, parameters) }
        guard path.hasPrefix("moved/") else { return Control.problem(404, "no such path of the sandbox's own") }
        // The answer that a redirect took away, now without faults.
        var moved = request
        moved.url = String(request.url.dropFirst(Control.prefix.utf8.count + "moved".utf8.count))
        let faults = options.faults
        world.options.faults = []
        defer { world.options.faults = faults }
        return respond(to: moved, at: instant)
    }

    /// A picture, which can have faults like an answer, and is counted like one.
    private mutating func picture(
        _ request: HTTPRequest,
        _ path: Substring,
        _ parameters: Parameters
    ) -> SandboxAnswer {
        var answer = SandboxAnswer(Picture.response(path: path, parameters))
        for rule in faults.draw(options.faults, source: Picture.source) {
            counts.failed(rule.name)
            GeneralFault(rawValue: rule.name)?.apply(rule, to: &answer, request: request, base: options.base)
        }
        counts.answered(Picture.source, status: answer.response.status)
        return answer
    }

    private mutating func changeOptions(_ body: [UInt8]) -> SandboxAnswer {
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

    private func truth(_ parameters: Parameters, at instant: Int64) -> SandboxAnswer {
        guard let source = parameters["source"], let query = parameters["query"],
            let truth = truth(of: source, query: query, sort: parameters["sort"], at: instant)
        else { return Control.problem(400, "truth takes a source it knows, a query and perhaps a sort") }
        return Control.json(
            Body.object([
                "total": .integer(truth.total), "reachable": .integer(truth.reachable), "ids": .strings(truth.ids),
            ])
        )
    }
}
