package import EventLoop
package import HTTP
import JSON
package import RPC
package import SearchModel
package import Upstream

/// Gets a web page from the cache or a fetch in flight, or else fetches it.
///
/// Each host gets at most one request per second. A redirect counts as a request.
package actor WebPageLoader: LoopActor {
    /// With 4 MiB each, concurrent fetches use at most half of the memory for response bodies.
    static let fetchesMax = 4
    package static let flightsMax = 256
    static let redirectsMax = 5
    private static let fetchTimeoutMax = Duration.seconds(20)
    private static let robotsTTL = Duration.seconds(3600)
    private static let robotsMax = 500
    private static let accepted = "text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.1"

    package nonisolated let loop: EventLoop
    private nonisolated let cache: ResultCache
    private nonisolated let client: HTTPClient
    private nonisolated let inFlight: InFlight<WebPageKey, WebPage>
    private nonisolated let throttle: RequestThrottle
    private var turns = HostTurns()
    private var robots: [FetchURL.Origin: (rules: RobotsRules, readAt: Instant)] = [:]
    /// Hosts that may be fetched although they are not public, with or without a port.
    private var allowedHosts: Set<String>

    package init(on loop: EventLoop, cache: ResultCache, client: HTTPClient, allowedHosts: Set<String>) {
        (self.loop, self.cache, self.client, self.allowedHosts) = (loop, cache, client, allowedHosts)
        inFlight = InFlight(on: loop, flightsMax: Self.flightsMax)
        let waitingMax = Self.flightsMax - 2 * Self.fetchesMax
        throttle = RequestThrottle(on: loop, waitingMax: waitingMax, refusesLate: false) { _ in (Self.fetchesMax, .max)
        }
    }

    package nonisolated var flightCount: Int { inFlight.onLoop { $0.flightCount } }

    /// Replaces the allowed hosts; if they change, removes all pages.
    package func allow(_ hosts: Set<String>) {
        guard hosts != allowedHosts else { return }
        allowedHosts = hosts
        cache.onLoop { $0.removeWebPages() }
    }

    package nonisolated func cached(_ key: WebPageKey, maxAge: Duration) -> WebPage? {
        cache.onLoop { $0.webPage(key, maxAge: maxAge) }
    }

    /// Gets the page from the cache or the network; if `maxAge` is zero, always fetches it.
    ///
    /// The queue is fair between users, and between the programs of a user.
    package nonisolated func page(
        _ key: WebPageKey,
        maxAge: Duration,
        for caller: CallDemand.Caller,
        timeout: Duration
    ) async throws(SearchError) -> (value: WebPage, use: CacheUse) {
        if let page = cached(key, maxAge: maxAge) { return (page, .hit) }
        return try await inFlight.fetch(
            key,
            refresh: maxAge == .zero,
            for: caller,
            until: loop.now.advanced(by: timeout),
            late: FetchedThing.page.tooLate
        ) { demand, report throws(SearchError) in
            try await self.fetched(key, demand, report)
        }
    }

    package nonisolated func cancelAll() async {
        await inFlight.cancelAll()
    }

    // MARK: Fetching

    private func fetched(
        _ key: WebPageKey,
        _ demand: CallDemand,
        _ report: @escaping CallReport
    ) async throws(SearchError) -> WebPage {
        let (fetched, url) = try await follow(key.address.text, isForAgent: key.isForAgent, demand, report)
        let response = fetched.response
        let field = response.fields["Content-Type"]
        guard response.status == 200 else { throw FetchedThing.page.status(response.status) }
        guard let type = WebPageType(field: field) else {
            throw FetchedThing.page.bad("The response is neither a web page nor plain text.")
        }
        let page = WebPage(
            url: url,
            type,
            charset: WebPage.charset(inField: field),
            text: await fetched.base64,
            byteCount: response.body.count,
            fetchedAt: loop.now
        )
        if demand.mayBeStored { cache.onLoop { $0.insert(page, under: key) } }
        return page
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
                "Too many requests to this host are waiting; searchd sends one per second.",
                retryable: true,
                retryAfter: HostTurns.interval,
                hint: "Try again in a few seconds."
            )
        }
        try await sleep(until: time)
        let turn = try await throttle.enter(.webPages, for: demand, report: { _ in })
        defer { throttle.onLoop { $0.leave(turn) } }
        throttle.onLoop { $0.admitted(turn) }
        try await sleep(until: turns.send(host, at: loop.now))
        var request = FetchRequest(HTTPRequest(url: url.text, fields: HTTPFields([("Accept", Self.accepted)])))
        request.timeouts.whole = Self.fetchTimeoutMax
        request.responseBytesMax = WireBounds.pageBytesMax
        request.redirects = .returned
        request.addresses = isAllowed(url.origin) ? .any : .publicOnly
        request.willSend = willSend
        do throws(FetchError) {
            return try await client.fetch(request)
        } catch {
            throw FetchedThing.page.error(error)
        }
    }

    private func sleep(until time: Instant) async throws(SearchError) {
        do { try await loop.sleep(until: time) } catch { throw .cancelled }
    }

    private func isAllowed(_ origin: FetchURL.Origin) -> Bool {
        let name = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return allowedHosts.contains(name) || allowedHosts.contains("\(name):\(origin.port)")
    }

    /// Returns the rules of a site; a site that lacks or refuses robots.txt allows everything.
    private func rules(of url: FetchURL, _ demand: CallDemand) async throws(SearchError) -> RobotsRules {
        let now = loop.now
        if let known = robots[url.origin], now < known.readAt.advanced(by: Self.robotsTTL) { return known.rules }
        let (fetched, _) = try await follow("\(url.origin)/robots.txt", isForAgent: false, demand) { _ in }
        let status = fetched.response.status
        // If the server fails, the rules are not known, so the page must not be read.
        if status >= 500 || status == 429 { throw FetchedThing.page.status(status) }
        let rules = status == 200 ? RobotsRules(fetched.response.body) : .allowingAll
        if robots.count >= Self.robotsMax { robots = [:] }
        robots[url.origin] = (rules, now)
        return rules
    }
}

extension FetchURL {
    /// The path with the query, at least a slash.
    fileprivate var path: String {
        let rest = text.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3).drop { !"/?".utf8.contains($0) }
        let path = String(Substring(rest))
        return path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
    }
}
