package import SearchModel

/// How the program ends; the numbers are the contract's.
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
            [.invalidParams, .invalidRequest, .lineTooLong, .tooDeep, .duplicateId, .methodNotFound, .unknownSource]
        ),
        (.noDaemon, [.noDaemon, .connectionLost], []),
        (.defect, [.protocolViolated, .system], [.internal, .parseError]),
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

    /// Every status there is.
    static var all: [ExitStatus] { statuses.map(\.status) + [.sourceFailed] }

    /// The status of a failed command.
    ///
    /// A kind that is not known here counts as passing only when the daemon says that it is.
    package init(of error: ClientError) {
        let known = Self.statuses.first { entry in
            entry.codes.contains(error.code) || entry.kinds.contains { ClientError.Code($0) == error.code }
        }
        self = known?.status ?? (error.isRetryable == true ? .tryLater : .defect)
    }

    private init(number: Int32) {
        self.number = number
    }
}

/// Why a command did not do what it was asked: the client's own reasons and the daemon's, in one type.
///
/// Messages may hold text of the web; the code that prints them makes it visible first (`FailureText`).
package struct ClientError: Error, Equatable, Sendable {
    /// What went wrong; open, so that kinds of a newer daemon survive.
    ///
    /// The contract's kinds keep their names.
    package struct Code: Hashable, RawRepresentable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package init(_ kind: SearchError.Kind) {
            rawValue = kind.rawValue
        }

        /// The command line is wrong.
        package static let usage = Code(rawValue: "usage")
        /// No daemon could be reached or started.
        package static let noDaemon = Code(rawValue: "noDaemon")
        /// The daemon went away before it had answered.
        package static let connectionLost = Code(rawValue: "connectionLost")
        /// The other side does not speak the contract.
        package static let protocolViolated = Code(rawValue: "protocolViolated")
        /// Ctrl-C.
        package static let interrupted = Code(rawValue: "interrupted")
        /// The reader of our output has left; not a failure, and not reported.
        package static let outputClosed = Code(rawValue: "outputClosed")
        /// What we print can't be written: the device is full.
        package static let outputFailed = Code(rawValue: "outputFailed")
        /// A file or descriptor of this machine does not work.
        package static let system = Code(rawValue: "system")
    }

    package var code: Code
    /// One sentence without its full stop.
    package var message: String
    /// One sentence on what to do.
    package var hint: String?
    /// The source it is about, when it is about one.
    package var source: String?
    /// When the same request may succeed.
    package var retryAfter: Duration?
    /// Whether the daemon says that the same request may succeed later.
    package var isRetryable: Bool?
    /// When a quota resets, in RFC 3339.
    package var resetsAt: String?
    /// The parameter that is wrong, as `params.limit`.
    package var path: String?
    /// Whether it failed because the whole machine has no network.
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

    /// The message without the name of a source at its beginning, for a line that names the source already.
    func message(without source: String) -> String {
        let start = ["\(source): ", "\(source) "].first { message.utf8.starts(with: $0.utf8) }
        return start.map { String(message.dropFirst($0.count)) } ?? message
    }

    /// The hint that names the word most likely meant by a mistyped or abbreviated one; nil when none is near.
    static func guess(_ word: String, among candidates: [String], as written: (String) -> String = { $0 }) -> String? {
        nearest(to: word, among: candidates).map { NearestName.question(written($0)) }
    }

    private static func nearest(to word: String, among candidates: [String]) -> String? {
        if let near = NearestName.of(word, among: candidates) { return near }
        return word.utf8.count < 2 ? nil : candidates.first { $0.hasPrefix(word) }
    }
}
