import Engine
import EventLoop
import JSON
import Personal
import SearchModel
import Upstream

/// The data of all users who are using the daemon; used only on the loop, so `@unchecked` is safe.
final class PersonalData: @unchecked Sendable {
    /// If this many users are in memory, the data of inactive users is dropped.
    static let usersMax = 64
    static let suggestionsMax = SuggestionIndex.entriesMax

    private let loop: EventLoop
    private let place: PersonalPlace?
    private let wallClock: @Sendable () -> Int64
    private let log: Log
    /// Must be set before the first user is served.
    var refresher: ItemRefresher?
    private let permissions: Permissions
    private(set) var users: [UInt32: UserData] = [:]
    var historySettings: HistorySettings

    /// If `place` is nil, methods for personal data fail, but searches work.
    init(
        on loop: EventLoop,
        _ place: PersonalPlace?,
        _ log: Log,
        _ permissions: Permissions,
        _ history: HistorySettings,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.loop = loop
        self.place = place
        self.wallClock = wallClock
        self.log = log
        self.permissions = permissions
        historySettings = history
    }

    var isKept: Bool { place != nil }

    func user(of call: Call) throws(SearchError) -> UserData {
        guard let user = user(call.session.peer.userID) else { throw Self.noPlace }
        return user
    }

    func user(of userID: UInt32) throws(SearchError) -> UserData {
        if let refusal = permissions.refusalOfOwnData(to: userID) { throw refusal }
        guard let user = user(userID) else { throw Self.noPlace }
        return user
    }

    func searcher(of call: Call) -> UserData? {
        let peer = call.session.peer
        guard call.permissions.refusal(of: .ownData, to: peer, groups: { [] }) == nil else { return nil }
        return user(peer.userID)
    }

    func hitFinder(of id: String, for user: UserData) -> @Sendable () async -> KnownHit? {
        { [loop, wallClock, settings = historySettings] in
            let found = try? await user.use { store throws(SearchError) in try await store.hit(id, settings) }
            guard let own = found ?? nil else { return nil }
            let age = Duration.seconds(max(0, wallClock() - own.fetchedAt))
            let hit = JSONValue.object(own.hit.members + [JSONMember(.rank, 1)])
            return KnownHit(hit.bytes, fetchedAt: loop.now.advanced(by: .zero - age))
        }
    }

    private func user(_ userID: UInt32) -> UserData? {
        loop.checkIsolated()
        if let user = users[userID] { return user }
        guard let place, let refresher else { return nil }
        makeRoom()
        let followers = Locked(0)
        let store = PersonalStore(
            of: userID,
            in: place,
            wallClock: wallClock,
            report: { [log] line in log.warning(line) },
            whenRenewed: { [weak self, loop] in loop.perform { self?.users[userID]?.renewed() } },
            whenCommitted: { [weak self, loop] changes, answer in
                // Serializing on the loop would delay other clients.
                let isFollowed = followers.withLock { $0 } > 0
                let notices = changes.map { LibraryNotice($0, isWritten: isFollowed) }
                // One call passes all changes, because waking the loop is expensive.
                loop.perform {
                    for (change, notice) in zip(changes, notices) { self?.users[userID]?.changed(change, notice) }
                    answer()
                }
            }
        )
        let history = UserHistory(store, of: self, on: loop, wallClock: wallClock)
        let suggestions = UserSuggestions(store, history, of: self, on: loop)
        history.suggestions = suggestions
        let refresh = LibraryRefresh(of: userID, store, refresher, on: loop)
        let user = UserData(store, history, suggestions, followers: followers, refresh: refresh, on: loop)
        users[userID] = user
        Task(executorPreference: loop) { await refresh.resume() }
        return user
    }

    private func makeRoom() {
        guard users.count >= Self.usersMax else { return }
        for (userID, user) in users where !user.isInUse {
            users[userID] = nil
            user.end()
            guard users.count >= Self.usersMax else { return }
        }
    }

    func limitSuggestions(keeping used: UserSuggestions) {
        let others = users.values.map(\.suggestions).filter { $0 !== used }.sorted { $0.usedAt < $1.usedAt }
        var count = others.reduce(0) { $0 + $1.count }
        for other in others where count > Self.suggestionsMax {
            count -= other.count
            other.drop()
        }
    }

    var isRefreshing: Bool { users.values.contains(where: \.isRefreshing) }

    func endRefreshing() {
        for user in users.values { user.endRefreshing() }
    }

    func close() async {
        for user in users.values { await user.close() }
        users = [:]
    }

    private static let noPlace = SearchError(
        .unavailable,
        "searchd has no directory for your data.",
        retryable: false,
        hint: "Set a directory with --state, or with stateDirectory in the configuration."
    )
}
