import SearchModel

/// The schemas of hits, source reports, errors and traces, which several methods use.
extension Schema.Component {
    static let time = Schema.Component(
        "time",
        "A time in RFC 3339. A time that a source reports is in the time zone of the source.",
        .text
    )

    package static let hit = Schema.Component(
        "hit",
        "One result of a source. Its texts are plain, without tags, entities or control characters.",
        .object(
            ownHitFields + [
                .optional(
                    .marks,
                    .object([.optional(.title, ranges), .optional(.snippet, ranges)]),
                    "The ranges that match the query, as pairs of start and end, counted in Unicode scalars."
                ),
                .required(.rank, .count, "The position in the source's own list, from 1."),
                .optional(.raw, .anything, "If “raw” is true: the source's own document."),
            ]
        )
    )

    static let ownHitFields: [Schema.Field] = [
        .required(.id, .text, "The name of the source, a colon and the item's key. It is the same on all machines."),
        .required(.source, .text),
        .required(.kind, .text, "The kind of item, such as blog, book or app."),
        .required(.title, .text),
        .optional(.snippet, .text),
        .optional(.url, .text),
        .optional(.author, .text),
        .optional(.published, .time),
        .optional(
            .publishedPrecision,
            .words(["year", "month", "day"]),
            "The precision of the date. Absent if it is a second."
        ),
        .optional(.thumbnail, .text, "The URL of a picture."),
        .optional(.extra, .map(.anything), "Members that depend on the kind, such as “price”, “isbn” or “duration”."),
        .optional(.alsoFrom, .texts, "The other sources that have the same item."),
    ]

    private static let ranges = Schema.list(.list(.count))

    package static let report = Schema.Component(
        "report",
        "The result of one source in a search.",
        .object(reportFields(statuses: SourceStatus.final))
    )

    static func reportFields(statuses: [SourceStatus]) -> [Schema.Field] {
        [
            .required(.source, .text),
            .required(
                .status,
                .words(statuses),
                """
                partial: some pages of the source arrived before it failed. late: the search ended before the source \
                answered. “error” says whether the timeout or “wait” ended the search. skipped: the source was not \
                called; see “reason”.
                """
            ),
            .optional(
                .cache,
                .words(CacheUse.allCases),
                """
                How the pages of the source were obtained. If there are several ways, this is the most expensive one. \
                offline: from data on this machine, of any age. hit: from the cache. stale: from the cache, although \
                expired. joined: from the call of another request. miss: from a new call.
                """
            ),
            .optional(.age, .number, "Seconds since the oldest page of the source was fetched."),
            .required(.count, .count, "The number of the source's hits in the answer."),
            .optional(
                .total,
                .integer(.min ... .max),
                "The source's total. At least the number of hits on its first page."
            ),
            .optional(.totalIsEstimate, .flag),
            .optional(.reachable, .integer(.min ... .max), "How many of these hits a client can reach by paging."),
            .required(.end, .flag, "Whether the source has no more hits."),
            .optional(
                .sortedBy,
                .words(["daemon"]),
                "daemon: the daemon sorted the hits, because the source does not support this order."
            ),
            .optional(
                .sorted,
                .count,
                "If “sortedBy” is set: this number of hits was sorted together. Each later page is sorted separately."
            ),
            .required(.elapsed, .number, "Milliseconds."),
            .optional(.error, .component(.error), "The error, if the status is failed, late or partial."),
            .optional(.reason, .words(SkipReason.allCases), skipReasons),
            .optional(.retryAfter, .count, "skipped: milliseconds until the source can be called, if known."),
        ]
    }

    private static let skipReasons = """
        Why the source was skipped. Absent if “offline” is true. Any source can be skipped for the first three \
        reasons. unfinished: the query ends in an incomplete Hangul syllable. The answer may then have cached hits of \
        an earlier query; see “completedQuery”. maxCalls: the search has already made this number of calls. The cursor \
        returns the remaining hits. typing: the source is never called for a search on a channel. Search again without \
        a channel. The other reasons apply only to sources selected by a profile, a kind or the default. Such a source \
        is not skipped if its hits are cached. tooShort: the source does not accept such a short query. suspended: the \
        calls failed repeatedly, or the source asked for a pause. quotaExhausted: a quota is used up. rateLimit: the \
        rate limit of the source would delay the search longer than the other sources do.
        """

    package static let error = Schema.Component(
        "error",
        "The error of a request, or of one source in it.",
        .object([
            .required(.code, .integer(.min ... -1), "The number of the kind of error."),
            .required(.message, .text, "A message for people."),
            .required(.data, .component(.errorData)),
        ])
    )

    package static let errorData = Schema.Component(
        "errorData",
        "The details of an error, for programs.",
        .object([
            .required(.kind, .words(ErrorCode.all.map(\.kind))),
            .optional(.source, .text, "The source with the error."),
            .optional(.path, .text, "The parameter with the error, such as params.limit."),
            .optional(.file, .text, "For server/reload: the file with the error."),
            .optional(.line, .count, "The line in this file."),
            .optional(.key, .text, "The setting or member in this file."),
            .optional(.retryable, .flag, "Whether the same request may succeed later."),
            .optional(.offline, .flag, "True if the error means that this machine is offline."),
            .optional(.retryAfter, .count, "Milliseconds until a retry may succeed."),
            .optional(.resetsAt, .time, "The time at which the quota resets."),
            .optional(.hint, .text, "Advice for the user, in one sentence."),
            .optional(.trace, .list(.component(.traceEvent)), "If “explain” is true: the steps of the search."),
        ])
    )

    package static let traceEvent = Schema.Component(
        "traceEvent",
        "One step of a search. Times are in milliseconds. The pages of a source are counted from 0.",
        .object([
            .required(.at, .number, "The time since the request."),
            .optional(.source, .text),
            .required(
                .event,
                .words([
                    "plan", "excluded", "cacheHit", "cacheStale", "cacheMiss", "cacheSkipped", "joined", "queued",
                    "sent", "answered", "retrying", "breaker", "received", "failed", "skipped", "full", "left",
                    "merged", "filtered",
                ])
            ),
            .optional(
                .sources,
                .count,
                "plan: the number of sources. full: the number of calls that the search still waits for."
            ),
            .optional(.sort, .text, "plan: the order."),
            .optional(.from, .count, "plan: the first needed position in the merged list, from 0."),
            .optional(.to, .count, "plan: the position after the last needed position."),
            .optional(.timeout, .number, "plan: the timeout."),
            .optional(.cursor, .text, "plan: present if the search continues from a cursor."),
            .optional(.kind, .text, "excluded, failed: the kind of error."),
            .optional(.message, .text, "failed: the error's message."),
            .optional(.page, .count, "The page of the source."),
            .optional(.hits, .count, "The number of hits on the page."),
            .optional(.age, .number, "Seconds since a cached page was fetched."),
            .optional(
                .reason,
                .words(Schema.reasons),
                "queued: why the call waits. skipped: why the source is skipped."
            ),
            .optional(
                .wait,
                .number,
                "queued, retrying: the wait. skipped: the time until the source can be called. full: the maximum wait."
            ),
            .optional(.attempt, .count, "retrying: the number of the next attempt."),
            .optional(.status, .count, "answered: the HTTP status."),
            .optional(.bytes, .count, "answered: the size of the response."),
            .optional(
                .elapsed,
                .number,
                "answered: the duration of the call. left: how long the search has waited for the call."
            ),
            .optional(.usual, .number, "left: the usual duration of calls to the source, if known."),
            .optional(.state, .words(["closed", "open", "halfOpen"]), "breaker: the circuit breaker's new state."),
            .optional(.id, .text, "merged: the id of the hit."),
            .optional(.position, .count, "merged: the position of the hit in the list, from 1."),
            .optional(.score, .number, "merged: the score that determined the position."),
            .optional(.ranks, .map(.count), "merged: the ranks of the hit by source."),
            .optional(.parts, .map(.number), "merged: the parts of the score."),
            .optional(.later, .map(.count), "merged: the ranks, by source, of duplicates that came later."),
            .optional(.looked, .count, "filtered: the number of examined hits of the merged list."),
            .optional(.kept, .count, "filtered: how many of the examined hits were kept."),
            .optional(
                .undated,
                .count,
                "filtered: how many hits were left out only because they have no date."
            ),
        ])
    )

    package static let all: [Schema.Component] = [
        .client, .error, .errorData, .histogram, .hit, .item, .note, .noteDraft, .option, .profile, .quota,
        .recentError, .report, .sourceEntry, .time, .traceEvent,
    ]
}

extension Schema.Component {
    package static let item = Schema.Component(
        "item",
        "A saved hit, with the tags and notes of the user.",
        .object(
            ownHitFields + [
                .required(.savedAt, .time),
                .required(.updatedAt, .time),
                .optional(.tags, .texts, "The tags, in the order in which they were added."),
                .optional(.notes, .list(.component(.note))),
                .optional(
                    .changes,
                    .list(
                        .object([
                            .required(.at, .time), .required(.field, .text), .required(.from, .anything),
                            .required(.to, .anything),
                        ])
                    ),
                    "The changes that later lookups found, for example in price, version or title."
                ),
            ]
        )
    )

    package static let note = Schema.Component(
        "note",
        "A user's note on an item. It has a title, a text, a rating, or several of them.",
        .object([
            .required(.id, .text, "The id, unique within the item."),
            .optional(.title, .text),
            .optional(.text, .text),
            .optional(.rating, .integer(WireBounds.rating)),
            .required(.at, .time),
        ])
    )
}
