package import EventLoop
import JSON
package import SearchModel
package import Upstream

/// Shares pages and calls between hosts through a server (Valkey or Redis).
package protocol SharedPages: Sendable {
    /// Finds a page, or claims the call for this host; waits while another host has the claim.
    ///
    /// After the outcome `.call`, the caller must call `finish`.
    func find(_ name: [UInt8], claims: Bool, by deadline: Instant) async -> SharedOutcome

    func finish(_ name: [UInt8], _ outcome: SharedOutcome)
}

package enum SharedOutcome: Sendable {
    case page([UInt8], left: Duration)
    case failure([UInt8])
    /// If `find` returns this, this host must make the call. If `finish` gets this, there is nothing to share.
    case call
    /// No page and no claim, for example because the server cannot be used.
    case none
}

/// Encodes pages that hosts share, and decides which pages and calls are shared.
package struct SharedTier: Sendable {
    private static let bytesMax = 1 << 20

    private let loop: EventLoop
    private let pages: any SharedPages
    private let edition: @Sendable (PageKey) -> String?
    private let refusal: @Sendable (SourceName, CallDemand) -> SearchError?

    /// `edition` returns a text that is equal on all hosts, or nil if the definition of the source was replaced.
    package init(
        on loop: EventLoop,
        _ pages: any SharedPages,
        refusal: @escaping @Sendable (SourceName, CallDemand) -> SearchError?,
        edition: @escaping @Sendable (PageKey) -> String?
    ) {
        (self.loop, self.pages, self.refusal, self.edition) = (loop, pages, refusal, edition)
    }

    typealias Claim = @Sendable (Result<CachedPage, SearchError>?) -> Void

    enum Found: Sendable {
        case page(CachedPage)
        case failure(SearchError)
        case refused(SearchError)
        /// The caller must make the call and pass its outcome to the closure, or nil if nothing was sent.
        case call(Claim)
    }

    func find(_ key: PageKey, maxAge: Duration?, for demand: CallDemand) async -> Found {
        guard let edition = edition(key) else { return .call { _ in } }
        let name = PageCodec.bytes(of: key) + Array(edition.utf8)
        var hasFailed = false
        while true {
            let (error, deadline) = (refusal(key.source, demand), demand.deadline)
            switch await pages.find(name, claims: error == nil, by: deadline) {
            case .failure(let bytes):
                guard let error = SharedFailure.error(bytes) else { return .call { _ in } }
                return .failure(error)
            case .none:
                if let error = error ?? refusal(key.source, demand) { return .refused(error) }
                // Tries again if a caller with a later deadline has joined, and once if the server failed.
                if deadline < demand.deadline { continue }
                guard hasFailed else { hasFailed = true; continue }
                return .call { [self] in publish($0, as: name, isClaimed: false) }
            case .call: return .call { [self] in publish($0, as: name, isClaimed: true) }
            case .page(let bytes, let left):
                guard let page = page(bytes, key, left: left),
                    maxAge.map({ page.fetchedAt.duration(to: loop.now) <= $0 }) ?? true
                else { return .call { [self] in publish($0, as: name, isClaimed: false) } }
                return .page(page)
            }
        }
    }

    func page(_ key: PageKey, by deadline: Instant) async -> CachedPage? {
        guard let edition = edition(key) else { return nil }
        let name = PageCodec.bytes(of: key) + Array(edition.utf8)
        guard case .page(let bytes, let left) = await pages.find(name, claims: false, by: deadline) else { return nil }
        return page(bytes, key, left: left)
    }

    func publish(_ page: CachedPage) {
        guard let edition = edition(page.key) else { return }
        publish(.success(page), as: PageCodec.bytes(of: page.key) + Array(edition.utf8), isClaimed: false)
    }

    private func publish(_ outcome: Result<CachedPage, SearchError>?, as name: [UInt8], isClaimed: Bool) {
        switch outcome {
        case .success(let page):
            let left = loop.now.duration(to: page.freshUntil)
            guard left > .zero, page.bytesUsed <= Self.bytesMax else { break }
            let life = page.fetchedAt.duration(to: page.freshUntil).saturatingNanoseconds / 1_000_000
            return pages.finish(name, .page(Array("\(life)\n".utf8) + PageCodec.bytes(of: page), left: left))
        case .failure(let error) where isClaimed: return pages.finish(name, .failure(SharedFailure.bytes(error)))
        case .failure, nil: break
        }
        if isClaimed { pages.finish(name, .call) }
    }

    /// The first line of `bytes` is the lifetime of the page in milliseconds.
    private func page(_ bytes: [UInt8], _ key: PageKey, left: Duration) -> CachedPage? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let life = Int(String(decoding: bytes[..<end], as: UTF8.self))
        else { return nil }
        let freshUntil = loop.now.advanced(by: left)
        let fetchedAt = min(loop.now, freshUntil.advanced(by: .milliseconds(-life)))
        return PageCodec.page(Array(bytes[(end + 1)...]), key: key, fetchedAt: fetchedAt, freshUntil: freshUntil)
    }
}

/// Encodes and decodes errors that hosts share.
enum SharedFailure {
    static func bytes(_ error: SearchError) -> [UInt8] {
        var writer = JSONWriter()
        writer.array { writer in
            writer.string(error.kind.rawValue)
            writer.string(error.message)
            writer.string(error.source?.text ?? "")
            writer.bool(error.retryable ?? false)
            writer.integer(Int(error.retryAfter?.milliseconds ?? -1))
            writer.string(error.resetsAt ?? "")
            writer.string(error.hint ?? "")
        }
        return writer.bytes
    }

    static func error(_ bytes: [UInt8]) -> SearchError? {
        guard let parts = (try? JSONDocument(bytes))?.root.elements, parts.count == 7, let kind = parts[0].string,
            let message = parts[1].string, let wait = parts[4].int
        else { return nil }
        func text(_ index: Int) -> String? { parts[index].string.flatMap { $0.isEmpty ? nil : $0 } }
        return SearchError(
            SearchError.Kind(rawValue: kind),
            message,
            source: text(2).flatMap { SourceName($0) },
            retryable: parts[3].bool,
            retryAfter: wait < 0 ? nil : .milliseconds(wait),
            resetsAt: text(5),
            hint: text(6)
        )
    }
}
