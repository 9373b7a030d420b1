import JSON

/// The load's results for programs: every round of every peer, nothing summed up.
enum LoadFigures {
    static func json(_ results: LoadResults, answerBytes: Int) -> JSONValue {
        let scenarios = results.plan.scenarios.map { scenario in
            let peers = results.plan.peers.map { peer in
                JSONMember(peer.rawValue, .array(results.rounds(scenario, peer).map(round)))
            }
            return JSONValue.object([
                JSONMember("connections", .number(JSONNumber(scenario.connections))),
                JSONMember("depth", .number(JSONNumber(scenario.depth))),
                JSONMember("peers", .object(peers)),
            ])
        }
        return .object([
            JSONMember("answerBytes", .number(JSONNumber(answerBytes))),
            JSONMember("scenarios", .array(scenarios)),
        ])
    }

    static func round(_ sample: LoadSample) -> JSONValue {
        .object([
            JSONMember("answers", .number(JSONNumber(sample.answers))),
            JSONMember("wrong", .number(JSONNumber(sample.wrong))),
            JSONMember("elapsedNs", .number(JSONNumber(sample.elapsed))),
            JSONMember("p50Ns", .number(JSONNumber(Int(sample.percentile(0.5))))),
            JSONMember("p99Ns", .number(JSONNumber(Int(sample.percentile(0.99))))),
            JSONMember("p999Ns", .number(JSONNumber(Int(sample.percentile(0.999))))),
            JSONMember("serverTimeNs", .number(JSONNumber(sample.serverTime))),
            JSONMember("generatorTimeNs", .number(JSONNumber(sample.generatorTime))),
            JSONMember("residentBytes", .number(JSONNumber(sample.residentBytes))),
        ])
    }
}
