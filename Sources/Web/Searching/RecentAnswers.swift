import EventLoop

/// A cache that keeps JSON answers for one second, for requests without the token.
struct RecentAnswers {
    static let lifetime = Duration.seconds(1)
    static let countMax = 64
    static let bytesMax = 64 << 10

    struct Key: Hashable {
        let path: String
        let query: String

        init(_ request: WebRequest) {
            (path, query) = (request.path, request.query)
        }
    }

    private var answers: [Key: (bytes: [UInt8], end: Instant)] = [:]

    func answer(to key: Key, at now: Instant) -> [UInt8]? {
        answers[key].flatMap { now < $0.end ? $0.bytes : nil }
    }

    mutating func keep(_ answer: [UInt8], for key: Key, at now: Instant) {
        if answers.count >= Self.countMax { answers = answers.filter { now < $0.value.end } }
        guard answer.count <= Self.bytesMax, answers.count < Self.countMax else { return }
        answers[key] = (answer, now.advanced(by: Self.lifetime))
    }
}
