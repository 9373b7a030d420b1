package import SearchModel

/// A change in how the daemon or a source is doing: one line in the log.
///
/// Its message never holds a key, nor a query.
package struct StateChange: Equatable, Sendable {
    /// What has changed, in one word to filter the log by.
    package enum Subject: String, Sendable {
        case breaker
        case health
        case quota
        case reload
    }

    package let subject: Subject
    package let source: SourceName?
    package let message: String
    /// Whether it is for the worse.
    package let isTrouble: Bool

    package init(_ subject: Subject, of source: SourceName? = nil, _ message: String, isTrouble: Bool) {
        self.subject = subject
        self.source = source
        self.message = message
        self.isTrouble = isTrouble
    }
}
