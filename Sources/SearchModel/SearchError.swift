/// The error of a request or of one source; its texts never contain keys or queries.
package struct SearchError: Error, Equatable, Sendable {
    /// A struct instead of an enum, because a newer peer may send unknown kinds.
    package struct Kind: Hashable, RawRepresentable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let badResponse = Kind(rawValue: "badResponse")
        package static let cancelled = Kind(rawValue: "cancelled")
        package static let duplicateId = Kind(rawValue: "duplicateId")
        package static let forbidden = Kind(rawValue: "forbidden")
        package static let `internal` = Kind(rawValue: "internal")
        package static let invalidParams = Kind(rawValue: "invalidParams")
        package static let invalidRequest = Kind(rawValue: "invalidRequest")
        package static let limitReached = Kind(rawValue: "limitReached")
        package static let lineTooLong = Kind(rawValue: "lineTooLong")
        package static let methodNotFound = Kind(rawValue: "methodNotFound")
        package static let notConfigured = Kind(rawValue: "notConfigured")
        package static let notFound = Kind(rawValue: "notFound")
        package static let overloaded = Kind(rawValue: "overloaded")
        package static let parseError = Kind(rawValue: "parseError")
        package static let quotaExhausted = Kind(rawValue: "quotaExhausted")
        package static let rateLimited = Kind(rawValue: "rateLimited")
        package static let shuttingDown = Kind(rawValue: "shuttingDown")
        package static let superseded = Kind(rawValue: "superseded")
        package static let timeout = Kind(rawValue: "timeout")
        package static let tooDeep = Kind(rawValue: "tooDeep")
        package static let unauthorized = Kind(rawValue: "unauthorized")
        package static let unavailable = Kind(rawValue: "unavailable")
        package static let unknownSource = Kind(rawValue: "unknownSource")
    }

    package var kind: Kind
    package var message: String
    package var source: SourceName?
    package var retryable: Bool?
    package var retryAfter: Duration?
    /// In RFC 3339.
    package var resetsAt: String?
    package var hint: String?
    /// The parameter that is not valid, such as `params.limit`.
    package var path: String?
    package var isOffline = false
    package var location: FileLocation?
    package var trace: [UInt8]?

    package init(
        _ kind: Kind,
        _ message: String,
        source: SourceName? = nil,
        retryable: Bool? = nil,
        retryAfter: Duration? = nil,
        resetsAt: String? = nil,
        hint: String? = nil,
        path: String? = nil
    ) {
        self.kind = kind
        self.message = message
        self.source = source
        self.retryable = retryable
        self.retryAfter = retryAfter
        self.resetsAt = resetsAt
        self.hint = hint
        self.path = path
    }
}

package struct FileLocation: Equatable, Sendable {
    package let file: String
    /// Counted from 1; nil for the whole file.
    package let line: Int?
    package let key: String?

    package init(file: String, line: Int?, key: String?) {
        self.file = file
        self.line = line
        self.key = key
    }
}
