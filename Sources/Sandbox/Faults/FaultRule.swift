/// A fault that some share of the requests to some sources meets.
package struct FaultRule: Equatable, Sendable {
    /// A source (`kakao.blog`), or the beginning of some and a star (`naver.*`, `*`).
    package var source: String
    /// A general fault, or a row of the source's own error table.
    package var name: String
    /// From 0 to 1.
    package var share: Double
    /// How often at most; nil without end.
    package var times: Int?
    package var milliseconds: Int?
    package var bytes: Int?
    package var status: Int?
    /// Seconds, sent as `Retry-After`.
    package var retryAfter: Int?
    package var location: String?

    package init(source: String, name: String, share: Double = 1, times: Int? = nil) {
        self.source = source
        self.name = name
        self.share = share
        self.times = times
    }

    func covers(_ source: String) -> Bool {
        self.source.hasSuffix("*") ? source.hasPrefix(self.source.dropLast()) : source == self.source
    }
}
