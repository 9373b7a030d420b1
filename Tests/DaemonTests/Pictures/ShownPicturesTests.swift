import Catalogue
import Engine
import EventLoop
import SearchModel
import Testing

@testable import Daemon

/// Whose pictures are whose.
@Suite struct ShownPicturesTests {
    private static let address = "https://a.example/a.png"
    private static let hit = Array(
        #"{"id":"a.b:1","source":"a.b","kind":"image","title":"t","thumbnail":"\#(address)","rank":1}"#.utf8
    )

    private func pictures(tellsUsersApart: Bool = true) -> ShownPictures {
        let directory = SourceDirectory(catalogue: Catalogue(), sources: [])
        return ShownPictures(DirectoryBox(directory), Permissions(userID: 990, tellsUsersApart: tellsUsersApart))
    }

    private func mayHave(_ pictures: ShownPictures, _ userID: UInt32) -> Bool {
        pictures.terms(of: Self.address, for: userID) != nil
    }

    @Test func `what one user was shown is no other's, root's and the daemon's neither`() throws {
        let pictures = pictures()
        pictures.show(Self.hit, to: 1000, isPrivate: false)
        #expect(mayHave(pictures, 1000))
        for other: UInt32 in [0, 990, 1001, UserMap.nobody] { #expect(!mayHave(pictures, other)) }
    }

    @Test func `users who look like one are shown none`() throws {
        let pictures = pictures(tellsUsersApart: false)
        pictures.show(Self.hit, to: UserMap.nobody, isPrivate: false)
        #expect(!mayHave(pictures, UserMap.nobody))
        pictures.show(Self.hit, to: 0, isPrivate: false)
        #expect(mayHave(pictures, 0))
    }

    @Test func `a repeated answer is noted for each user who is given it, also once it was forgotten`() throws {
        let pictures = pictures()
        let repeated = try #require(pictures.repeated([PictureMark(Self.address, .open)]))
        for user: UInt32 in [1000, 1001, 1000] {
            repeated.given(to: user)
            #expect(mayHave(pictures, user))
        }
        let others = (0..<2 * ShownMarks.halfMax).map { PictureMark("https://a.example/\($0)", .open) }
        pictures.show(others, to: 1000, isPrivate: false)
        #expect(!mayHave(pictures, 1000) && mayHave(pictures, 1001))
        repeated.given(to: 1000)
        #expect(mayHave(pictures, 1000))
        #expect(pictures.repeated([]) == nil)
    }

    @Test func `as many users are remembered as there may be, one more takes the place of the one longest away`() throws
    {
        let pictures = pictures()
        let repeated = try #require(pictures.repeated([PictureMark(Self.address, .open)]))
        let last = UInt32(ShownPictures.usersMax)
        for user in 1...last { pictures.show(Self.hit, to: user, isPrivate: false) }
        repeated.given(to: 1)
        #expect((1...last).allSatisfy { mayHave(pictures, $0) })
        pictures.show(Self.hit, to: last + 1, isPrivate: false)
        #expect(mayHave(pictures, 1) && !mayHave(pictures, 2) && mayHave(pictures, last + 1))
        for user in last + 2...2 * last { pictures.show(Self.hit, to: user, isPrivate: false) }
        #expect(!mayHave(pictures, 1))
        // What it had noted is noted anew.
        repeated.given(to: 1)
        #expect(mayHave(pictures, 1))
    }
}
