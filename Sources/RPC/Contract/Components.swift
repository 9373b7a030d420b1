import SearchModel

/// What hits, reports of sources, errors and traces are made of.
extension Schema.Component {
    static let time = Schema.Component("time", "An instant as RFC 3339 writes it, in the zone of the source.", .text)

    package static let hit = Schema.Component(
        "hit",
        "One thing that a source found. Text is plain: no tags, no entities, no control characters.",
        .object(
            ownHitFields + [
                .optional(
                    .marks,
                    .object([.optional(.title, ranges), .optional(.snippet, ranges)]),
                    "What matched: pairs of begin and end, counted in Unicode scalars."
                ),
                .required(.rank, .count, "Its position in the source's own list, from 1."),
                .optional(.raw, .anything, "The source's own document, when the request has raw."),
            ]
        )
    )

    /// The members of a hit that do not depend on the search.
    static let ownHitFields: [Schema.Field] = [
        .required(.id, .text, "Stable across runs and machines: the source's name, a colon, a key."),
        .required(.source, .text),
        .required(.kind, .text, "Such as blog, book or app."),
        .required(.title, .text),
        .optional(.snippet, .text),
        .optional(.url, .text),
        .optional(.author, .text),
        .optional(.published, .time),
        .optional(.publishedPrecision, .words(["year", "month", "day"]), "Only when coarser than a second."),
        .optional(.thumbnail, .text, "The address of a picture."),
        .optional(.extra, .map(.anything), "What this kind has besides: price, isbn, duration and so on."),
        .optional(.alsoFrom, .texts, "The other sources that have the same item."),
    ]

    private static let ranges = Schema.list(.list(.count))

    package static let report = Schema.Component(
        "report",
        "What became of one source in a search.",
        .object(reportFields(statuses: SourceStatus.final))
    )

    static func reportFields(statuses: [SourceStatus]) -> [Schema.Field] {
        [
            .required(.source, .text),
            .required(
                .status,
                .words(statuses),
                "partial: some of its pages came, then it failed; late: it had not answered within the timeout, or "
                    + "with wait enough when the search had enough, as its error says; "
                    + "skipped: it was left out for now, which makes no search incomplete."
            ),
            .optional(
                .cache,
                .words(CacheUse.allCases),
                "How its pages were got, the costliest way of several: stale is used past its time, joined shares "
                    + "another caller's call, miss is a call."
            ),
            .optional(.age, .number, "Seconds since its oldest page was fetched."),
            .required(.count, .count, "How many hits it contributed."),
            .optional(.total, .integer(.min ... .max), "How many hits it claims to have."),
            .optional(.totalIsEstimate, .flag),
            .optional(.reachable, .integer(.min ... .max), "How many of them it lets anyone page to."),
            .required(.end, .flag, "Whether its list ends here."),
            .optional(.sortedBy, .words(["daemon"]), "When the source can't sort so itself."),
            .optional(
                .sorted,
                .count,
                "sortedBy: how many of its first hits are sorted together; later pages follow, each sorted by itself."
            ),
            .required(.elapsed, .number, "Milliseconds."),
            .optional(.error, .component(.error), "Only when it is failed, late or partial."),
            .optional(.reason, .words(SkipReason.allCases), skipReasons),
            .optional(.retryAfter, .count, "skipped: milliseconds until it can be asked, as far as is known."),
        ]
    }

    private static let skipReasons = """
        skipped: why, absent offline. unfinished: the query ends in a syllable that is still being typed; then also a \
        source that was named is not asked, and the hits are those that are cached of the latest query of this user that \
        begins so. maxCalls: the search has made as many calls as its parameter maxCalls allows; what is left comes along \
        the cursor. Any other reason is only for sources that came by a profile, a kind or the \
        default set: tooShort: the source refuses so short a query; suspended: its calls have failed repeatedly, or it \
        asked for a pause; quotaExhausted; rateLimit: its rate limit would have the search wait longer than the other \
        sources take. What is cached of such a source is in the answer, and then it is ok.
        """

    package static let error = Schema.Component(
        "error",
        "Why a request, or one source's part of it, failed.",
        .object([
            .required(.code, .integer(.min ... -1), "The number of its kind."),
            .required(.message, .text, "For a person."),
            .required(.data, .component(.errorData)),
        ])
    )

    package static let errorData = Schema.Component(
        "errorData",
        "The details of an error, for programs.",
        .object([
            .required(.kind, .words(ErrorCode.all.map(\.kind))),
            .optional(.source, .text, "The source that it is about."),
            .optional(.path, .text, "The parameter that is wrong, such as params.limit."),
            .optional(.file, .text, "Of server/reload: the file that is wrong."),
            .optional(.line, .count, "The line in that file."),
            .optional(.key, .text, "The key in that file."),
            .optional(.retryable, .flag, "Whether the same request may succeed later."),
            .optional(.offline, .flag, "That this machine is offline: every source fails alike."),
            .optional(.retryAfter, .count, "Milliseconds until then."),
            .optional(.resetsAt, .time, "When the quota resets."),
            .optional(.hint, .text, "A remedy for the user, in one sentence."),
            .optional(.trace, .list(.component(.traceEvent)), "When the request has explain."),
        ])
    )

    package static let traceEvent = Schema.Component(
        "traceEvent",
        "One step of a search. Times are milliseconds; pages of sources are counted from 0.",
        .object([
            .required(.at, .number, "Since the request."),
            .optional(.source, .text),
            .required(
                .event,
                .words([
                    "plan", "excluded", "cacheHit", "cacheStale", "cacheMiss", "cacheSkipped", "joined", "queued",
                    "sent", "answered", "retrying", "breaker", "received", "failed", "skipped", "full", "left",
                    "merged", "filtered",
                ])
            ),
            .optional(.sources, .count, "plan: how many are asked; full: for how many calls the search still waits."),
            .optional(.sort, .text, "plan: the order."),
            .optional(.from, .count, "plan: where the window begins."),
            .optional(.to, .count, "plan: where it ends."),
            .optional(.timeout, .number, "plan: the timeout."),
            .optional(.cursor, .text, "plan: whether it continues from a cursor."),
            .optional(.kind, .text, "excluded, failed: the kind of error."),
            .optional(.message, .text, "failed: the error's message."),
            .optional(.page, .count, "The page of the source."),
            .optional(.hits, .count, "How many hits the page has."),
            .optional(.age, .number, "Of a page from the cache: seconds since it was fetched."),
            .optional(
                .reason,
                .words(Schema.reasons),
                "queued: why the call waits; skipped: why the source is left out."
            ),
            .optional(
                .wait,
                .number,
                "queued, retrying: for how long; skipped: until it can be asked; full: for how long at most."
            ),
            .optional(.attempt, .count, "retrying: which try comes next."),
            .optional(.status, .count, "answered: the status of HTTP."),
            .optional(.bytes, .count, "answered: how long the answer is."),
            .optional(.elapsed, .number, "answered: how long it took; left: for how long it was waited for."),
            .optional(.usual, .number, "left: how long calls to the source have lately taken, if any has ended."),
            .optional(.state, .words(["closed", "open", "halfOpen"]), "breaker: its new state."),
            .optional(.id, .text, "merged: the hit."),
            .optional(.position, .count, "merged: its position in the list, from 1."),
            .optional(.score, .number, "merged: what put it there."),
            .optional(.ranks, .map(.count), "merged: its ranks in the lists of its sources."),
            .optional(.parts, .map(.number), "merged: the parts of the score."),
            .optional(.later, .map(.count), "merged: ranks that came when it had its position already."),
            .optional(.looked, .count, "filtered: how many hits of the merged list were looked at."),
            .optional(.kept, .count, "filtered: how many of them pass."),
            .optional(.undated, .count, "filtered: how many were left out only because they have no date."),
        ])
    )

    /// Every schema that has a name, in the order of their names.
    package static let all: [Schema.Component] = [
        .client, .error, .errorData, .histogram, .hit, .item, .note, .noteDraft, .option, .profile, .quota,
        .recentError, .report, .sourceEntry, .time, .traceEvent,
    ]
}

/// The components of a library.
extension Schema.Component {
    package static let item = Schema.Component(
        "item",
        "A saved hit, with the tags and notes of the user.",
        .object(
            ownHitFields + [
                .required(.savedAt, .time),
                .required(.updatedAt, .time),
                .optional(.tags, .texts, "In the order in which they were added."),
                .optional(.notes, .list(.component(.note))),
                .optional(
                    .changes,
                    .list(
                        .object([
                            .required(.at, .time), .required(.field, .text), .required(.from, .anything),
                            .required(.to, .anything),
                        ])
                    ),
                    "What looking it up again has found to be different: price, version, title and so on."
                ),
            ]
        )
    )

    package static let note = Schema.Component(
        "note",
        "A user's note about an item: a title, a text, a rating, or some of them.",
        .object([
            .required(.id, .text, "Within the item."),
            .optional(.title, .text),
            .optional(.text, .text),
            .optional(.rating, .integer(WireBounds.rating)),
            .required(.at, .time),
        ])
    )
}
