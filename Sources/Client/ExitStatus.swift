package import SearchModel

/// An exit status of `searchctl`.
package struct ExitStatus: Equatable, Sendable {
    package let number: Int32

    package static let found = ExitStatus(number: 0)
    package static let nothingFound = ExitStatus(number: 1)
    package static let usage = ExitStatus(number: 2)
    package static let sourceFailed = ExitStatus(number: 3)
    package static let noDaemon = ExitStatus(number: 69)
    package static let defect = ExitStatus(number: 70)
    package static let tryLater = ExitStatus(number: 75)
    package static let notAllowed = ExitStatus(number: 77)
    package static let notConfigured = ExitStatus(number: 78)
    package static let interrupted = ExitStatus(number: 130)

    private static let statuses: [(status: ExitStatus, codes: [ClientError.Code], kinds: [SearchError.Kind])] = [
        (.found, [.outputClosed], []),
        (.nothingFound, [], [.notFound]),
        (
            .usage, [.usage],
            [
                .parseError, .invalidParams, .invalidRequest, .lineTooLong, .tooDeep, .duplicateId, .methodNotFound,
                .unknownSource,
            ]
        ),
        (.noDaemon, [.noDaemon, .connectionLost, .silent], []),
        (.defect, [.protocolViolated, .system], [.internal]),
        (
            .tryLater, [.outputFailed],
            [
                .rateLimited, .quotaExhausted, .unavailable, .badResponse, .timeout, .overloaded, .shuttingDown,
                .superseded,
            ]
        ),
        (.notAllowed, [], [.forbidden, .unauthorized, .limitReached]),
        (.notConfigured, [], [.notConfigured]),
        (.interrupted, [.interrupted], [.cancelled]),
    ]

    package init(of error: ClientError) {
        let known = Self.statuses.first { entry in
            entry.codes.contains(error.code) || entry.kinds.contains { ClientError.Code($0) == error.code }
        }
        // This is an error of `read`: the page does not exist or cannot be read.
        let isLasting = error.code == .init(.badResponse) && error.isRetryable == false && error.source == nil
        self = isLasting ? .nothingFound : known?.status ?? (error.isRetryable == true ? .tryLater : .defect)
    }

    private init(number: Int32) {
        self.number = number
    }
}

/// An error of a command or of the daemon.
///
/// Print it with `FailureText`, which escapes control characters.
package struct ClientError: Error, Equatable, Sendable {
    package struct Code: Hashable, RawRepresentable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package init(_ kind: SearchError.Kind) {
            rawValue = kind.rawValue
        }

        package static let usage = Code(rawValue: "usage")
        package static let noDaemon = Code(rawValue: "noDaemon")
        /// A process listens, but does not answer.
        package static let silent = Code(rawValue: "silent")
        package static let connectionLost = Code(rawValue: "connectionLost")
        package static let protocolViolated = Code(rawValue: "protocolViolated")
        package static let interrupted = Code(rawValue: "interrupted")
        /// The reader of the output has closed the pipe, so this error is not printed.
        package static let outputClosed = Code(rawValue: "outputClosed")
        package static let outputFailed = Code(rawValue: "outputFailed")
        package static let system = Code(rawValue: "system")
    }

    package var code: Code
    /// One sentence without a full stop.
    package var message: String
    package var hint: String?
    package var source: String?
    package var retryAfter: Duration?
    package var isRetryable: Bool?
    package var resetsAt: String?
    package var path: String?
    package var isOffline = false

    package init(
        _ code: Code,
        _ message: String,
        hint: String? = nil,
        source: String? = nil,
        retryAfter: Duration? = nil,
        isRetryable: Bool? = nil
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.source = source
        self.retryAfter = retryAfter
        self.isRetryable = isRetryable
    }

    func message(without source: String) -> String {
        let start = ["\(source): ", "\(source) "].first { message.utf8.starts(with: $0.utf8) }
        return start.map { String(message.dropFirst($0.count)) } ?? message
    }

    var messageWithoutPath: String {
        path.flatMap { message.hasPrefix("\($0): ") ? String(message.dropFirst($0.count + 2)) : nil } ?? message
    }

    static func guess(_ word: String, among candidates: [String], as written: (String) -> String = { $0 }) -> String? {
        nearest(to: word, among: candidates).map { NearestName.question(written($0)) }
    }

    private static func nearest(to word: String, among candidates: [String]) -> String? {
        if let near = NearestName.of(word, among: candidates) { return near }
        return word.utf8.count < 2 ? nil : candidates.first { $0.hasPrefix(word) }
    }
}
