import Catalogue
import Engine
import Glibc
import SearchModel
import TestSupport
import Testing

@testable import Daemon

@Suite struct SecretStoreTests {
    private let directory = TemporaryDirectory()

    private func store(credentials: Bool = false, _ directories: String...) -> SecretStore {
        let environment = credentials ? ["CREDENTIALS_DIRECTORY": directory.path] : [:]
        return SecretStore(environment: environment, directories: directories.map(directory.file))
    }

    private func read(_ store: SecretStore, _ places: [String: SecretLocation] = [:]) -> (AccountAccess, [String]) {
        var configuration = Configuration()
        if !places.isEmpty { configuration.accounts["naver"] = Configuration.Account(secrets: places) }
        let reader = SecretReader(environment: store.environment, store: store)
        let (access, problems) = reader.read("naver", slots: ["id", "secret"], of: configuration)
        return (access, problems.map(\.description))
    }

    @Test func `the command that stores keys for the system service runs as root`() {
        func command(_ credentials: String?) -> String {
            let environment = credentials.map { ["CREDENTIALS_DIRECTORY": $0] } ?? [:]
            return read(SecretStore(environment: environment, directories: [])).0.keysCommand
        }
        #expect(command("/run/credentials/searchd.service") == "sudo searchctl keys set --system")
        #expect(command("/run/user/1000/credentials/searchd.service") == "searchctl keys set")
        #expect(command(nil) == "searchctl keys set")
    }

    @Test func `a secret that is not configured is read from the first location that has it`() {
        directory.makeDirectory("own")
        directory.makeDirectory("system")
        #expect(store("own", "system").location(of: "id", account: "naver") == nil)
        let system = directory.write("s", to: "system/naver.id")
        #expect(store("own", "system").location(of: "id", account: "naver") == .file(system))
        let own = directory.write("o", to: "own/naver.id")
        #expect(store("own", "system").location(of: "id", account: "naver") == .file(own))
        directory.write("c-credential", to: "keys_naver.id")
        #expect(store("own").location(of: "id", account: "naver") == .file(own))
        let found = store(credentials: true, "own")
        #expect(found.location(of: "id", account: "naver") == .credential("keys_naver.id"))
        #expect(read(found).0.secrets["id"]?.reveal() == "c-credential")
    }

    @Test func `secrets in the configuration are preferred, and missing secrets are not a problem`() {
        directory.makeDirectory("own")
        directory.write("stored", to: "own/naver.id")
        let (access, problems) = read(store("own"), ["id": .value("as-written")])
        #expect(access.secrets["id"]?.reveal() == "as-written")
        #expect(access.secrets["secret"] == nil)
        #expect(problems == [])
    }

    @Test func `a stored secret that others can read is refused with the name of its file`() {
        directory.makeDirectory("own")
        let path = directory.write("k3y5ecret", to: "own/naver.id", mode: 0o644)
        let (access, problems) = read(store("own"))
        #expect(access.secrets.isEmpty)
        #expect(problems.count == 1)
        #expect(problems.first?.contains("chmod 600 \(path)") == true)
        #expect(problems.first?.contains("k3y5ecret") == false)
    }

    @Test(arguments: ["../id", "a/b", "\u{0}"]) func `a name cannot lead to another directory`(slot: String) {
        directory.makeDirectory("own")
        directory.write("k", to: "naver.id")
        #expect(store("own").location(of: slot, account: "naver") == nil)
        #expect(store("own").location(of: "id", account: ".naver") == nil)
    }
}
