import SearchModel

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
        (.notAllowed, [], [.forbidden, .unauthorized]),
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
