import TestSupport
import Testing

@testable import Client

struct KeyStoreTests {
    private let directory = TemporaryDirectory()

    @Test(arguments: [("../x", "key"), ("kakao", "a/b"), ("", "key"), ("kakao", ""), (".kakao", "key")])
    func `no name leads out of the directory`(account: String, secret: String) throws {
        let store = KeyStore(directory: directory.file("keys"))
        let key = try KeyText(Array("k3y5ecret".utf8))
        #expect(throws: ClientError.self) { try store.save(key, account, secret) }
        #expect(throws: ClientError.self) { try store.remove(account, secret) }
    }

    @Test func `a key is replaced whole, and no draft is left`() throws {
        let store = KeyStore(directory: directory.file("keys"))
        try store.save(try KeyText(Array("first-key".utf8)), "kakao", "key")
        try store.save(try KeyText(Array("second-key".utf8)), "kakao", "key")
        #expect(directory.contents(of: "keys/kakao.key") == "second-key\n")
        #expect(store.has("kakao", "key"))
        #expect(try store.remove("kakao", "key"))
        #expect(try !store.remove("kakao", "key"))
    }

    @Test func `keys are in the configuration of the user, or of the system`() throws {
        let home = Environment(["HOME": "/h"])
        #expect(try KeyStore(environment: home, isSystem: false).directory == "/h/.config/searchd/keys")
        let both = Environment(["HOME": "/h", "XDG_CONFIG_HOME": "/x"])
        #expect(try KeyStore(environment: both, isSystem: false).directory == "/x/searchd/keys")
        #expect(try KeyStore(environment: both, isSystem: true).directory == "/etc/searchd/keys")
        #expect(throws: ClientError.self) { try KeyStore(environment: Environment([:]), isSystem: false) }
    }
}
