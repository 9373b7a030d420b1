import Engine
import EventLoop
import JSON
import Personal
import RPC
import SearchModel
import Testing

@testable import Daemon

/// Serves more users than the daemon keeps in memory at the same time.
@Suite struct ManyUsersTests {
    private static func item(of user: UInt32) throws -> SavedItem {
        try SavedItem(LibraryMethodTests.hit("\(user)"), savedNow: 1, path: "hit")
    }

    @Test func `if too many users are in memory, inactive users are unloaded without loss`() async throws {
        try await LibraryMethodTests.withLibrary { daemon, _ in
            let data = daemon.service.data
            let max = UInt32(PersonalData.usersMax)
            try await withTaskExecutorPreference(daemon.loop) {
                let followed = try await Self.user(1, of: data)
                let feed = followed.follow()
                for user in 2...max { _ = try await Self.user(user, of: data) }
                #expect(data.users.count == PersonalData.usersMax)
                let second = try await Self.user(max + 1, of: data)
                #expect(data.users.count <= PersonalData.usersMax)
                #expect(data.users[1] === followed && data.users[max + 1] === second)
                followed.unfollow(feed)
                for user in 1...max + 1 {
                    let known = try await Self.user(user, of: data)
                    #expect(known.isSaved("kakao.book:\(user)") && !known.isSaved("kakao.book:\(user % max + 1)0"))
                }
                #expect(data.users.count <= PersonalData.usersMax)
            }
        }
    }

    private static func user(_ userID: UInt32, of data: PersonalData) async throws -> UserData {
        let user = try data.user(of: userID)
        let item = try item(of: userID)
        _ = try await user.use { store throws(SearchError) in try await store.perform(.save([item])) }
        await user.load()
        return user
    }
}
