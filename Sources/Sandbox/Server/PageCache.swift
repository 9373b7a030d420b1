/// Bodies that were built before; when it is full it starts anew.
struct PageCache: Sendable {
    private var bodies: [String: [UInt8]] = [:]
    private var bytes = 0

    static let bytesMax = 32 << 20

    /// The body of a key, built when it is not there; the key must say everything that the body depends on.
    mutating func body(_ key: String, build: () -> [UInt8]) -> [UInt8] {
        if let body = bodies[key] { return body }
        let body = build()
        if bytes + body.count > Self.bytesMax { removeAll() }
        bytes += body.count
        bodies[key] = body
        return body
    }

    mutating func removeAll() {
        bodies = [:]
        bytes = 0
    }
}
