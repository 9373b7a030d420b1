extension SourceGuide {
    static let reference = language + asking + answers + transforms + manners

    private static let language: [Block] = [
        .heading("EVERY KEY"),
        .paragraph(
            "Where several values are possible, a single one may stand without brackets; quotas and errors are always "
                + "lists. An unknown key or word is an error when the file is checked: nothing is guessed."
        ),
        .entries([
            ("source, kind, title", "as in the example; required"),
            (
                "account",
                "what the sources of the account share, in one of their files or in a file of its own, which begins "
                    + "with account: \"recipes\" instead of source"
            ),
            ("attribution", "may stand in account or in the source"),
            (
                "ttl, negativeTTL",
                "how long an answer, and an empty answer, is cached: \"10m\", \"6h\" (default 10m and 1m)"
            ),
            ("weight", "what its hits count for beside those of others, from 0.01 to 100 (default 1)"),
            ("halfLife", "for what ages as news does: after how long a hit is half as new: \"3d\""),
            ("languages", "those of what it finds, as [\"ko\"] (default any)"),
            ("caseInsensitive", "true when Soup and soup find the same: they then share cached answers"),
            (
                "query",
                "which queries it refuses, so that no call is spent: charactersMin, charactersMax (as a reader counts "
                    + "them), refused: [\"the\"]"
            ),
            (
                "family",
                "one file for several sources: { name: \"lang\", values: [\"ko\", \"en\"] } reads the file once for "
                    + "each, with {lang} replaced in every text, names included"
            ),
            (
                "sources",
                "several sources in one file: an object by name, with what is the source's own; everything else in the "
                    + "file is shared by all, objects member by member"
            ),
            (
                "gone, instead",
                "in a file with nothing else but source: the source has ended; gone says why, instead names others"
            ),
            ("title", "in account: for readers of the file"),
        ]),
        .heading("WHO ASKS, AND WHERE (account)"),
        .entries([
            ("secrets", "name: what it is and where to get it"),
            (
                "settings",
                "what the configuration may set under the account that is not secret, such as a country; declared as "
                    + "options are"
            ),
            (
                "access",
                "one way to ask, or a list of which the first whose secrets are all set is used: name, secrets, base "
                    + "(scheme and host, no path), headers, parameters"
            ),
            ("redirects", "hosts to which a redirect may lead; none by default, and never with secrets"),
        ]),
        .paragraph(
            "A file may ask public hosts over https only. For a service of your own network, or while you try things "
                + "out, the configuration can allow more; nothing in the file can. Ask it as the file says, or "
                + "elsewhere:"
        ),
        .code(
            """
            { allowedHosts: ["wiki.lan", "127.0.0.1"] }
            { accounts: { recipes: { baseURL: "http://127.0.0.1:8080" } } }
            """
        ),
    ]

    private static let asking: [Block] = [
        .heading("ASKING (request)"),
        .entries([
            ("path", "begins with /; one, or one for each access by its name"),
            (
                "parameters, headers",
                "name: text with placeholders; of a list of texts the first that can be filled is used, and what "
                    + "can't be filled is left out"
            ),
            ("method", "GET, or POST with the parameters as a form"),
            (
                "lookup",
                "how to ask for the record of one item, for “searchctl show”: as request, with {key} for what hit.key "
                    + "is, and hits: where the record is in the answer; hit: what is written there differently, with "
                    + "everything else as in hit below. An answer with another key has no such item"
            ),
        ]),
        .entries([
            ("{query}", "what is searched for"),
            ("{page} {start}", "the page, or the item it begins with, counted as paging says"),
            ("{size}", "how many hits a page has"),
            ("{key}", "in lookup, and there none of those above: the item"),
            ("{sort}", "the word from sorts; an order without a word is sorted by the daemon"),
            ("{option.NAME}", "what the caller passed, else the option's default"),
            ("{secret.NAME} {setting.NAME}", "from the configuration"),
        ]),
        .entries([
            ("sorts", "words for relevance (required, may be \"\"), recency, title"),
            (
                "options",
                "NAME: { type: …, default: \"…\", about: \"…\" }, where type is choice (values: […]), integer (min, "
                    + "max), flag (on: \"1\", off: \"0\"), or text (bytes: [shortest, longest], of: any, letters, "
                    + "digits or word)"
            ),
            (
                "paging",
                "style \"page\" or \"item\" with first: 0 or 1, or \"single\" for one page only; size: the most that "
                    + "one call returns, since a page costs the same whatever its size; pagesMax: how many pages can "
                    + "be asked for"
            ),
        ]),
    ]

    private static let answers: [Block] = [
        .heading("ANSWERS (response, hit)"),
        .entries([
            ("hits", "the path of the list"),
            ("hitsMayBeAbsent", "true when no list means no hits; otherwise a missing list is an error"),
            ("total", "the path of how many there are; totalIsEstimate: false when it is exact"),
            ("reachable", "the path of how many of them can be paged to"),
            (
                "end",
                "how a page shows that it is the last (an empty one always is): whenTrue: a path, whenAbsent: paths, "
                    + "pages: the path of their number, behind: the path of a count after which no page begins, "
                    + "pastTotal: true, shortPage: true when only the last has fewer than asked for, wholeOnFirst: "
                    + "true when a first page that is short and has the total is the last"
            ),
            ("must", "conditions of every valid answer, as under errors: body"),
        ]),
        .paragraph(
            "A path joins names by dots: meta.total_count. [0] and [-1] take one element of a list, [] all, "
                + "[type=ISBN_13] those with that member; \".\" is the hit itself."
        ),
        .entries([
            ("key", "what makes the hit's id: the same thing must keep it for ever"),
            ("title", "required; a hit without one is called by its url, and without both it is left out"),
            ("snippet url author published thumbnail", "the other fields of a hit"),
            ("extra", "any more, by names of your choice"),
        ]),
        .paragraph(
            "A field is a path, or { from: path or paths, do: steps }, or { constant: … }, or a list of these, of which "
                + "the first that has a value counts. Several values become a list. Control characters are always "
                + "removed; tags and entities are removed by the step html."
        ),
    ]

    private static let transforms: [Block] = [
        .heading("STEPS (do), from left to right; a step that can't do its work leaves the field empty"),
        .entries([
            (
                "text",
                "html (from HTML; <b> and <em> become marks), htmlWithoutMarks, entities, clean, "
                    + "{ marks: \"path\" } (marked as the text at that path, which has <em>), lowercase, uppercase, "
                    + "{ after: \"(\" }, { before: \")\" }, { trimPrefix: \"/works/\" }, { trimSuffix: \"…\" }, "
                    + "{ replace: \"_\", with: \" \" }, { format: \"No. {}\" }"
            ),
            ("numbers", "number, { divide: 1000 }, { divide: 1000, whole: true }, { within: [1, 5] }, bool"),
            (
                "dates",
                "{ date: \"iso\" } from 2024-03-09T11:51:51+09:00 down to 2024; compact (20240309), rfc822 (Sat, 09 "
                    + "Mar 2024 …), epochSeconds, epochMilliseconds; beside it zone: \"+09:00\" for dates without "
                    + "one, precision: \"year\", \"month\", \"day\", \"second\""
            ),
            ("lists", "first, last, { limit: 5 }, { join: \", \" }, { split: \"|\" }"),
            (
                "addresses",
                "url, { url: \"https://recipes.example/\" } for relative ones, secure (http becomes https), scheme "
                    + "(adds a missing https://), encode (for a part of a path), { queryItem: \"src\" } (a parameter "
                    + "of an address)"
            ),
            (
                "choices",
                "{ omit: [-1, \"none\"] }, { map: { A: \"adult\" } }, { map: {…}, others: \"drop\" or \"keep\" }"
            ),
            ("books", "isbn10, isbn13 (found and checked in any text)"),
        ]),
    ]

    private static let manners: [Block] = [
        .heading("ERRORS, LIMITS AND QUOTAS"),
        .entries([
            (
                "errors",
                "rules, of which the first that matches counts: { when: {…}, means: … }. when: status (429 or "
                    + "\"5xx\"), header: { name: how its value begins }, body: { path: value, { prefix: … }, "
                    + "{ contains: … } or { present: true } }, text (in the body's first 4 KiB), empty: true. All "
                    + "that is named must match. means: end (an empty last page), rateLimited, quotaExhausted (with "
                    + "quota: its name; with retryAfter where it may only have been asked too fast), unauthorized, "
                    + "notConfigured, forbidden, invalidParams, notFound, badResponse, unavailable. Beside it hint, "
                    + "retryAfter: \"2s\", retryable. Without a rule 401 and 403 are unauthorized, 429 rateLimited, "
                    + "5xx unavailable, others badResponse; a Retry-After of the server is obeyed."
            ),
            ("errorText", "paths of the words that say what is wrong"),
            (
                "limits",
                "perSecond, burst, perDay, concurrency; in account for all of its sources together, in the source for "
                    + "it alone; the configuration can set others"
            ),
            (
                "quotas",
                "name, limit, per: minute, hour, day or month, for: account or source, resetsAt: \"00:00\" in zone: "
                    + "\"+09:00\" or \"pacific\""
            ),
        ]),
        .paragraph("The built-in sources are files of this language too."),
    ]
}
