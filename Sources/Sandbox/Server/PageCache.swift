/// Bodies that were built before; when it is full it starts anew.
struct PageCache: Sendable {
    private var bodies: [String: [UInt8]] = [:]
    private var bytes = 0

    static let bytesMax = 32 << 20

    /// The body of a key, built when it is not there; the key must say everything that the body depends on.
    mutating func body(_ key: String, build: () -> [UInt8]) -> [UInt8] {
        if let body = self[key] { return body }
        let body = build()
        self[key] = body
        return body
    }

    /// The body of a key, when it is there; a key is set once.
    subscript(key: String) -> [UInt8]? {
        get { bodies[key] }
        set {
            guard let newValue else { return }
            if bytes + newValue.count > Self.bytesMax { removeAll() }
            bytes += newValue.count
            bodies[key] = newValue
        }
    }

    mutating func removeAll() {
        bodies = [:]
        bytes = 0
    }
}
