package import JSON

/// The names of all JSON members in the protocol; no name needs escapes.
package enum Member: String, Sendable, CustomStringConvertible {
    case about, account, add, added, address, age, agent, all, alsoFrom, answered, asked, at, atMost, attempt
    case attribution, author
    case before, bytes
    case cache, cacheProblem, calls, callsLeft, capabilities, changed, changes, channel, channels, charset, client
    case clients, code, commands, complete, completedQuery, components, concurrency, connected, connections, copies
    case copyAt, cost, count, cursor
    case damaged, data, debounce, `default`, deleted, didYouMean, disk, doing, dropped
    case elapsed, enabled, end, entries, error, errors, estimated, event, evictions, explain, extra
    case failure, failures, fetchedAt, field, file, filter, filtered, first, fleet, flights, forecast, free, from
    case full
    case groupBy, groups
    case has, headings, health, hint, history, hit, hits, hosts
    case id, ids, inFlight, info, inserted, item, items
    case jsonrpc
    case kept, key, keyNeeded, keys, kind, kinds
    case language, last, latency, later, ledger, left, leftOut, limit, limits, line, local, locked, longestTurn
    case looked, loop, lost
    case marks, max, maxAge, maxBytes, maxCalls, mean, memory, message, method, methods, min, misses
    case name, needsRestart, next, note, notes, notifications
    case off, offline, offset, open, openrpc, options, order
    case page, params, parts, path, perDay, perSecond, personal, pid, position, prefix, present, priority, `private`
    case profiles, program, progress, `protocol`, published, publishedPrecision
    case query, queued, quota, quoted
    case rank, ranks, rating, raw, reachable, reason, refused, refusedCalls, reloadRefusedAt, reloadedAt, remove
    case removed, request, requests, reset, resetsAt, resident, restored, result, retryable, retryAfter, revision
    case sameAs, saved, savedAt, savedCalls, score, searches, secrets, server, sharedCalls, since, site, snippet, sort
    case sorted, sortedBy, source, sources, stale, stalled, start, state, status, stopped, stream, streams
    case subscription, suggestions, summary
    case tags, text, thumbnail, timeout, title, to, total, totalIsEstimate, trace, turns, type
    case uid, undated, unit, unlocked, until, updated, updatedAt, upstream, uptime, url, used, usual
    case values, version
    case wait, waiters, waiting, waitingFor, way
    case notificationsExtension = "x-notifications"

    package var description: String { rawValue }
}

extension JSONCursor {
    package subscript(_ member: Member) -> JSONCursor? { self[member.rawValue] }
}

extension JSONValue {
    package subscript(_ member: Member) -> JSONValue? { self[member.rawValue] }
}

extension JSONMember {
    package init(_ member: Member, _ value: JSONValue) {
        self.init(member.rawValue, value)
    }
}

extension JSONWriter {
    package mutating func name(_ member: Member) {
        unescapedName(member.rawValue)
    }

    package mutating func member(_ member: Member, _ string: String?) {
        guard let string else { return }
        name(member)
        self.string(string)
    }

    package mutating func member(_ member: Member, _ integer: Int?) {
        guard let integer else { return }
        name(member)
        self.integer(integer)
    }

    package mutating func member(_ member: Member, _ double: Double?) {
        guard let double else { return }
        name(member)
        self.double(double)
    }

    package mutating func member(_ member: Member, _ bool: Bool?) {
        guard let bool else { return }
        name(member)
        self.bool(bool)
    }

    package mutating func member(_ member: Member, _ value: JSONValue?) {
        guard let value else { return }
        name(member)
        self.value(value)
    }

    /// For output on one line, `raw` must not have line breaks.
    package mutating func member(_ member: Member, raw: some Collection<UInt8>) {
        name(member)
        self.raw(raw)
    }

    package mutating func member(_ member: Member, _ strings: some Sequence<String>) {
        array(member) { writer in
            for string in strings { writer.string(string) }
        }
    }

    package mutating func object(_ member: Member, _ body: (inout JSONWriter) throws -> Void) rethrows {
        name(member)
        try object(body)
    }

    package mutating func array(_ member: Member, _ body: (inout JSONWriter) throws -> Void) rethrows {
        name(member)
        try array(body)
    }
}
