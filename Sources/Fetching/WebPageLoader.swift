package import EventLoop
package import HTTP
import JSON
package import RPC
package import SearchModel
package import Upstream

/// Fetches web pages, or gets them from the cache. Sends each host at most one request per second.
package actor WebPageLoader: LoopActor {
    static let redirectsMax = 5
    private static let fetchTimeoutMax = Duration.seconds(20)
    private static let robotsTTL = Duration.seconds(3600)
    private static let robotsMax = 500
    private static let accepted = "text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.1"

    package nonisolated let loop: EventLoop
    package nonisolated let files: FileLoader<WebPageKey>
    private nonisolated let client: HTTPClient
    private var turns = HostTurns()
    private var robots: [FetchURL.Origin: (rules: RobotsRules, readAt: Instant)] = [:]
    /// Hosts that are not public, but whose pages may be fetched; with or without a port.
    private var allowedHosts: Set<String>

    package init(on loop: EventLoop, cacheBytes: Int, client: HTTPClient, allowedHosts: Set<String>) {
        (self.loop, self.client, self.allowedHosts) = (loop, client, allowedHosts)
        files = FileLoader(on: loop, .page, bytesMax: cacheBytes)
    }

    package func allow(_ hosts: Set<String>) {
        guard hosts != allowedHosts else { return }
        allowedHosts = hosts
        files.onLoop { $0.clear() }
    }

    package nonisolated func page(
        _ key: WebPageKey,
        maxAge: Duration,
        for caller: CallDemand.Caller,
        timeout: Duration
    ) async throws(SearchError) -> (value: FetchedFile, use: CacheUse) {
        try await files.file(key, maxAge: maxAge, for: caller, timeout: timeout) {
            demand,
            report throws(SearchError) in
            try await self.fetched(key, demand, report)
        }
    }

    private func fetched(
        _ key: WebPageKey,
        _ demand: CallDemand,
        _ report: @escaping CallReport
    ) async throws(SearchError) -> FetchedFile {
        let (fetched, url) = try await follow(key.address.text, isForAgent: key.isForAgent, demand, report)
        let response = fetched.response
        let field = response.fields["Content-Type"]
        guard response.status == 200 else { throw FetchedThing.page.status(response.status) }
        guard let type = WebPageType(field: field) else {
            throw FetchedThing.page.bad("The response is neither a web page nor plain text.")
        }
        let charset = WebPageType.charset(inField: field)
        return await FetchedFile(fetched, url: url, type: type.rawValue, charset: charset, on: loop)
    }

    private func follow(
        _ address: String,
        isForAgent: Bool,
        _ demand: CallDemand,
        _ report: @escaping CallReport
    ) async throws(SearchError) -> (fetched: FetchedResponse, url: String) {
        var address = address
        for _ in 0...Self.redirectsMax {
            guard let url = try? FetchURL(escaping: address) else { throw FetchedThing.page.noAddress }
            if isForAgent {
                let rules = try await rules(of: url, demand)
                guard rules.allows(url.path) else {
                    throw FetchedThing.page.forbidden(
                        "The site does not allow programs to read this page (robots.txt).",
                        hint: "Ask the user to open the page in a browser."
                    )
                }
            }
            let fetched = try await fetch(url, demand) { report(.sent) }
            guard (300..<400).contains(fetched.response.status), let location = fetched.location else {
                return (fetched, url.text)
            }
            address = location
        }
        throw FetchedThing.page.bad("The server redirects more than \(Self.redirectsMax) times.")
    }

    private func fetch(
        _ url: FetchURL,
        _ demand: CallDemand,
        willSend: @escaping @Sendable () -> Void
    ) async throws(SearchError) -> FetchedResponse {
        let host = url.origin.host
        guard let time = turns.take(host, at: loop.now, before: demand.deadline) else {
            throw SearchError(
                .rateLimited,
                "Too many requests to this host are waiting. searchd sends one per second.",
                retryable: true,
                retryAfter: HostTurns.interval,
                hint: "Try again in a few seconds."
            )
        }
        try await sleep(until: time)
        var request = FetchRequest(HTTPRequest(url: url.text, fields: HTTPFields([("Accept", Self.accepted)])))
        request.timeouts.whole = Self.fetchTimeoutMax
        request.responseBytesMax = WireBounds.pageBytesMax
        request.redirects = .returned
        request.addresses = isAllowed(url.origin) ? .any : .publicOnly
        request.willSend = willSend
        return try await files.inTurn(demand) { [request] () throws(SearchError) in
            try await sleep(until: turns.send(host, at: loop.now))
            do throws(FetchError) {
                return try await client.fetch(request)
            } catch {
                throw FetchedThing.page.error(error)
            }
        }
    }

    private func sleep(until time: Instant) async throws(SearchError) {
        do { try await loop.sleep(until: time) } catch { throw .cancelled }
    }

    private func isAllowed(_ origin: FetchURL.Origin) -> Bool {
        let name = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return allowedHosts.contains(name) || allowedHosts.contains("\(name):\(origin.port)")
    }

    /// A site without robots.txt allows everything.
    private func rules(of url: FetchURL, _ demand: CallDemand) async throws(SearchError) -> RobotsRules {
        let now = loop.now
        if let known = robots[url.origin], now < known.readAt.advanced(by: Self.robotsTTL) { return known.rules }
        let (fetched, _) = try await follow("\(url.origin)/robots.txt", isForAgent: false, demand) { _ in }
        let status = fetched.response.status
        // The rules are unknown, so the page must not be read.
        if status >= 500 || status == 429 { throw FetchedThing.page.status(status) }
        let rules = status == 200 ? RobotsRules(fetched.response.body) : .allowingAll
        if robots.count >= Self.robotsMax { robots = [:] }
        robots[url.origin] = (rules, now)
        return rules
    }
}

extension FetchURL {
    fileprivate var path: String {
        let rest = text.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3).drop { !"/?".utf8.contains($0) }
        let path = String(Substring(rest))
        return path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
    }
}

/// Limits the requests to each host to one per second.
struct HostTurns {
    private struct Host {
        var next: Instant
        var sentAt: Instant?
    }

    static let interval = Duration.seconds(1)
    static let hostsMax = 4096

    private var hosts: [String: Host] = [:]

    /// Reserves the next free time.
    ///
    /// Returns nil if this time is too late, or if too many hosts are busy.
    mutating func take(_ host: String, at now: Instant, before deadline: Instant) -> Instant? {
        if hosts.count >= Self.hostsMax { hosts = hosts.filter { now < $0.value.next } }
        let turn = max(now, hosts[host]?.next ?? now)
        guard turn < deadline, hosts[host] != nil || hosts.count < Self.hostsMax else { return nil }
        hosts[host, default: Host(next: turn)].next = turn.advanced(by: Self.interval)
        return turn
    }

    /// Returns when a request may be sent: at least a second after the last request that was sent to this host.
    ///
    /// Reserving a time is not enough, because a request may be sent later than its reserved time.
    mutating func send(_ host: String, at now: Instant) -> Instant {
        let time = max(now, hosts[host]?.sentAt?.advanced(by: Self.interval) ?? now)
        hosts[host, default: Host(next: time)].sentAt = time
        return time
    }
}
