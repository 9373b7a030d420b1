import Engine
package import EventLoop
import HTTP
import JSON
import RPC
import SearchModel
import Upstream

/// A fetched web page or picture, with its content as base64.
package final class FetchedFile: Sendable {
    /// The address after redirects.
    package let url: String
    package let type: String
    package let charset: String?
    package let text: [UInt8]
    package let byteCount: Int
    package let fetchedAt: Instant
    let bytesUsed: Int

    private static let ownBytes = 1024
    /// Encoding a larger body on the loop would delay other work.
    private static let bytesOnLoopMax = 64 << 10

    init(url: String, type: String, charset: String? = nil, text: [UInt8], byteCount: Int, fetchedAt: Instant) {
        (self.url, self.type, self.charset) = (url, type, charset)
        (self.text, self.byteCount, self.fetchedAt) = (text, byteCount, fetchedAt)
        bytesUsed = Self.ownBytes + text.count + url.utf8.count
    }

    convenience init(_ fetched: FetchedResponse, url: String, type: String, charset: String? = nil, on loop: EventLoop)
        async
    {
        let body = fetched.response.body
        // The body counts towards the limit of response bodies while `fetched` exists.
        let text =
            body.count > Self.bytesOnLoopMax
            ? await Task.detached { Base64.text(of: body) }.value : Base64.text(of: body)
        withExtendedLifetime(fetched) {}
        self.init(url: url, type: type, charset: charset, text: text, byteCount: body.count, fetchedAt: loop.now)
    }
}

/// Keeps files in memory for at most a day.
///
/// Evicts files without recent use first.
struct FileCache<Key: Hashable> {
    static var ttl: Duration { .seconds(86_400) }

    private var files = SieveCache<Key, FetchedFile>()
    private var bytesMax: Int

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    mutating func value(_ key: Key, maxAge: Duration?, at now: Instant) -> FetchedFile? {
        guard let file = files.value(key) else { return nil }
        let age = file.fetchedAt.duration(to: now)
        if age >= Self.ttl { files.remove(key) }
        return age < min(maxAge ?? Self.ttl, Self.ttl) ? file : nil
    }

    mutating func insert(_ file: FetchedFile, under key: Key) {
        files.remove(key)
        guard file.bytesUsed <= bytesMax else { return }
        makeRoom(for: file.bytesUsed)
        files.insert(file, under: key, cost: file.bytesUsed)
    }

    mutating func resize(to bytesMax: Int) {
        self.bytesMax = bytesMax
        makeRoom()
    }

    mutating func clear() {
        files = SieveCache()
    }

    private mutating func makeRoom(for needed: Int = 0) {
        while files.bytes + needed > bytesMax, files.evict() != nil {}
    }
}

/// Loads web pages or pictures: from the cache, from a fetch in flight, or else from their server.
package actor FileLoader<Key: Hashable & Sendable>: LoopActor {
    package nonisolated let loop: EventLoop
    private nonisolated let thing: FetchedThing
    private nonisolated let inFlight: InFlight<Key, FetchedFile>
    private nonisolated let throttle: RequestThrottle
    private var cache: FileCache<Key>

    init(on loop: EventLoop, _ thing: FetchedThing, bytesMax: Int) {
        (self.loop, self.thing) = (loop, thing)
        let (fetchesMax, flightsMax) = (thing.fetchesMax, thing.flightsMax)
        inFlight = InFlight(on: loop, flightsMax: flightsMax)
        // A picture that would probably be late is refused. A page is not, because its loading time is unpredictable.
        throttle = RequestThrottle(on: loop, waitingMax: flightsMax - 2 * fetchesMax, refusesLate: thing == .picture) {
            _ in (fetchesMax, .max)
        }
        cache = FileCache(bytesMax: bytesMax)
    }

    package nonisolated var flightCount: Int { inFlight.onLoop { $0.flightCount } }

    package nonisolated func cached(_ key: Key, maxAge: Duration? = nil) -> FetchedFile? {
        onLoop { $0.cache.value(key, maxAge: maxAge, at: $0.loop.now) }
    }

    package func resize(to bytesMax: Int) {
        cache.resize(to: bytesMax)
    }

    package func clear() {
        cache.clear()
    }

    package nonisolated func cancelAll() async {
        await inFlight.cancelAll()
    }

    nonisolated func file(
        _ key: Key,
        maxAge: Duration? = nil,
        for caller: CallDemand.Caller,
        timeout: Duration,
        _ fetch: @escaping @Sendable (CallDemand, @escaping CallReport) async throws(SearchError) -> FetchedFile
    ) async throws(SearchError) -> (value: FetchedFile, use: CacheUse) {
        if let file = cached(key, maxAge: maxAge) { return (file, .hit) }
        let shared = await inFlight.value(
            for: key,
            refresh: maxAge == .zero,
            caller: caller,
            until: loop.now.advanced(by: timeout),
            late: thing.tooLate
        ) { [self] demand, report in
            do throws(SearchError) {
                let file = try await fetch(demand, report)
                if demand.mayBeStored { onLoop { $0.cache.insert(file, under: key) } }
                return .success(file)
            } catch {
                var plain = error
                plain.source = nil
                return .failure(plain)
            }
        }
        return (try shared.outcome.get(), shared.joined ? .joined : .miss)
    }

    nonisolated func inTurn<Value: Sendable>(
        _ demand: CallDemand,
        _ report: @escaping CallReport = { _ in },
        _ send: () async throws(SearchError) -> Value
    ) async throws(SearchError) -> Value {
        let turn = try await throttle.enter(thing.queue, for: demand, report: report)
        defer { throttle.onLoop { $0.leave(turn) } }
        throttle.onLoop { $0.admitted(turn) }
        return try await send()
    }
}
