package import JSON

/// The number of requests that the server has received, by source and by the status of the answer.
package struct SandboxCounts: Equatable, Sendable {
    package private(set) var bySource: [String: [Int: Int]] = [:]
    package private(set) var byFault: [String: Int] = [:]
    private var foundURLs: Set<String> = []

    package init() {}

    package func requests(to source: String? = nil) -> Int {
        if let source { return bySource[source, default: [:]].values.reduce(0, +) }
        return bySource.values.reduce(0) { $0 + $1.values.reduce(0, +) }
    }

    package func requests(to source: String, status: Int) -> Int { bySource[source]?[status] ?? 0 }

    mutating func answered(_ source: String, _ url: String, status: Int) {
        bySource[source, default: [:]][status, default: 0] += 1
        if status == 200 { foundURLs.insert(url) }
    }

    mutating func failed(_ fault: String) { byFault[fault, default: 0] += 1 }

    /// `sources` is an object such as `{"kakao.blog":{"200":5}}`.
    ///
    /// `foundURLs` is the number of different URLs with status 200.
    package var json: JSONValue {
        let sources = bySource.sorted { $0.key < $1.key }.map { source, statuses in
            let counts = statuses.sorted { $0.key < $1.key }
            return JSONMember(source, .object(counts.map { JSONMember(String($0.key), .integer($0.value)) }))
        }
        let faults = byFault.sorted { $0.key < $1.key }.map { JSONMember($0.key, .integer($0.value)) }
        return [
            "requests": .integer(requests()), "foundURLs": .integer(foundURLs.count), "sources": .object(sources),
            "faults": .object(faults),
        ]
    }
}
