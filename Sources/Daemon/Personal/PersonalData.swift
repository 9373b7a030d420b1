import Engine
import EventLoop
import JSON
import Personal
import SearchModel
import Upstream

/// The data of every user that is in use.
///
/// `@unchecked Sendable` so that methods may hold it: confined to the loop.
final class PersonalData: @unchecked Sendable {
    /// Above this number, a user's data is kept only while the user is served.
    static let usersMax = 64
    /// The number of all users' suggestions in memory, except the latest user's; each takes about 500 bytes.
    static let suggestionsMax = SuggestionIndex.entriesMax

    private let loop: EventLoop
    private let place: PersonalPlace?
    private let wallClock: @Sendable () -> Int64
    private let log: Log
    /// Looks items up again; set before the first user is served.
    var refresher: ItemRefresher?
    private let permissions: Permissions
    private(set) var users: [UInt32: UserData] = [:]
    /// How searches are stored; changes with a reload.
    var historySettings: HistorySettings

    /// Without a place, no personal data is stored: its methods fail, and searches work without it.
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

    /// Whether data of users is kept at all.
    var isKept: Bool { place != nil }

    /// The data of a method's caller, whose permission has been checked.
    func user(of call: Call) throws(SearchError) -> UserData {
        guard let user = user(call.session.peer.userID) else { throw Self.noPlace }
        return user
    }

    /// The data of a user whose permission has not been checked.
    func user(of userID: UInt32) throws(SearchError) -> UserData {
        if let refusal = permissions.refusalOfOwnData(to: userID) { throw refusal }
        guard let user = user(userID) else { throw Self.noPlace }
        return user
    }

    /// The data on which a search of the caller depends, if any.
    func searcher(of call: Call) -> UserData? {
        let peer = call.session.peer
        guard call.permissions.refusal(of: .ownData, to: peer, groups: { [] }) == nil else { return nil }
        return user(peer.userID)
    }

    /// Finds a hit in a user's library, and among the hits of the user's searches.
    func hitFinder(of id: String, for user: UserData) -> @Sendable () async -> KnownHit? {
        { [loop, wallClock, settings = historySettings] in
            // An unreadable file has no hits.
            let found = try? await user.use { store throws(SearchError) in try await store.hit(id, settings) }
            guard let own = found ?? nil else { return nil }
            let age = Duration.seconds(max(0, wallClock() - own.fetchedAt))
            // Alone, it is the first.
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
                // Notices are serialized on the storage thread, where this delays no other client.
                let isFollowed = followers.withLock { $0 } > 0
                let notices = changes.map { LibraryNotice($0, isWritten: isFollowed) }
                // All at once, because waking the other thread costs as much as answering a client.
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
        // Continues the queue of an earlier daemon; no request waits for it.
        Task(executorPreference: loop) { await refresh.resume() }
        return user
    }

    /// Drops the data of users who are not being served, if too many users are in memory.
    private func makeRoom() {
        guard users.count >= Self.usersMax else { return }
        for (userID, user) in users where !user.isInUse {
            users[userID] = nil
            user.end()
            guard users.count >= Self.usersMax else { return }
        }
    }

    /// Drops the least recently used suggestions while there are too many.
    func limitSuggestions(keeping used: UserSuggestions) {
        let others = users.values.map(\.suggestions).filter { $0 !== used }.sorted { $0.usedAt < $1.usedAt }
        var count = others.reduce(0) { $0 + $1.count }
        for other in others where count > Self.suggestionsMax {
            count -= other.count
            other.drop()
        }
    }

    /// Whether some user's item is being looked up.
    var isRefreshing: Bool { users.values.contains(where: \.isRefreshing) }

    /// Stops all lookups at shutdown.
    func endRefreshing() {
        for user in users.values { user.endRefreshing() }
    }

    /// Lets go of all files.
    func close() async {
        for user in users.values { await user.close() }
        users = [:]
    }

    private static let noPlace = SearchError(
        .unavailable,
        "This searchd has no directory in which it could keep your data.",
        retryable: false,
        hint: "Give it one with --state, or as stateDirectory in its configuration."
    )
}
