import JSON
import SearchModel

/// The description of a notification, for `rpc.discover` and the manual.
package struct NotificationDescription: Sendable {
    package let notification: NotificationName
    package let summary: String
    package let params: [Schema.Field]

    package init(_ notification: NotificationName, summary: String, params: [Schema.Field]) {
        self.notification = notification
        self.summary = summary
        self.params = params
    }

    package var name: String { notification.rawValue }
}

extension NotificationDescription {
    package static let all = [hits, source, progress, libraryChanged, cancelRequest]

    package static let hits = NotificationDescription(
        .hits,
        summary: "Hits of one source, if “stream” is true. The answer does not repeat them: its “order” has their ids.",
        params: [
            .required(.request, id, requestAbout), .required(.source, .text), .required(.hits, .list(.component(.hit))),
        ]
    )

    package static let source = NotificationDescription(
        .source,
        summary: """
            The status of a source, sent if “stream” is true. The last notification of a source is a report like those \
            in the answer. queued: the call waits. retrying: the call failed and is repeated.
            """,
        params: [.required(.request, id, requestAbout)]
            + Schema.Component.reportFields(statuses: SourceStatus.allCases).map { field in
                switch field.member {
                case .source, .status: field
                case .reason:
                    .optional(.reason, .words(Schema.reasons), "skipped: the reason. queued: why the call waits.")
                default: .optional(field.member, field.schema, field.about, default: field.standard)
                }
            } + [
                .optional(.wait, .count, "queued: the expected wait in milliseconds, if known."),
                .optional(.attempt, .count, "retrying: the number of the attempt."),
            ]
    )

    package static let progress = NotificationDescription(
        .progress,
        summary: "How many sources have answered or failed. Sent if “stream” and “progress” are true.",
        params: [
            .required(.request, id, requestAbout), .required(.answered, .count),
            .required(.asked, .count, "The number of sources that are not skipped."),
            .required(.waitingFor, .texts, "The sources that have not answered yet."),
        ]
    )

    package static let cancelRequest = NotificationDescription(
        .cancelRequest,
        summary: "Sent by a client to cancel a request. The request is answered with the error “cancelled”.",
        params: [.required(.id, id, "The id of the request.")]
    )

    private static let id = Schema.either(.integer(.min ... .max), .either(.text, .null))
    private static let requestAbout = "The id of the search."
}
