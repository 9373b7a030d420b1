/// How hard the peers are pressed: so many connections, each with so many requests on the way at a time.
package struct Scenario: Hashable, Sendable {
    /// Requests on the way on one connection: `Batch` keeps them in the bits of a word.
    package static let depthMax = 64
    package static let connectionsMax = 4_096

    package let connections: Int
    package let depth: Int

    package init(connections: Int, depth: Int = 1) {
        self.connections = connections
        self.depth = depth
    }

    /// In words, as the verdicts name it.
    package var name: String {
        let connections = connections == 1 ? "1 connection" : "\(connections) connections"
        return depth == 1 ? connections : "\(connections), \(depth) deep"
    }
}
