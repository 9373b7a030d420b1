import Catalogue
import Glibc
import SearchModel
import TestSupport
import Testing

@testable import Daemon

@Suite struct SecretReaderTests {
    private let directory = TemporaryDirectory()

    private func read(_ place: SecretLocation, _ environment: [String: String] = [:]) -> String {
        var configuration = Configuration()
        configuration.accounts["kakao"] = Configuration.Account(secrets: ["key": place])
        let (access, problems) = SecretReader(environment: environment).read("kakao", of: configuration)
        return access.secrets["key"]?.reveal() ?? problems.map(\.description).joined(separator: "\n")
    }

    @Test func `a secret is read from each location and trimmed`() {
        #expect(read(.value(" k3y5ecret ")) == "k3y5ecret")
        #expect(read(.environment("KEY"), ["KEY": "k3y5ecret\n"]) == "k3y5ecret")
        #expect(read(.file(directory.write("\r\n k3y5ecret\r\n", to: "key"))) == "k3y5ecret")
        #expect(read(.credential("key"), ["CREDENTIALS_DIRECTORY": directory.path]) == "k3y5ecret")
    }

    @Test func `a secret of fewer than eight bytes is refused`() {
        #expect(read(.value("1234567")).contains("8 bytes"))
        #expect(read(.value("12345678")) == "12345678")
    }

    @Test func `a file that others can read is refused, and the error says what to do`() {
        for mode in [0o644, 0o640, 0o604] as [mode_t] {
            let path = directory.write("k3y5ecret", to: "key", mode: mode)
            #expect(read(.file(path)).contains("chmod 600 \(path)"), "\(mode)")
        }
        #expect(read(.file(directory.write("k3y5ecret", to: "key", mode: 0o400))) == "k3y5ecret")
    }

    @Test func `a credential may be readable by its group, but not by everyone`() {
        let environment = ["CREDENTIALS_DIRECTORY": directory.path]
        directory.write("k3y5ecret", to: "key", mode: 0o440)
        #expect(read(.credential("key"), environment) == "k3y5ecret")
        directory.write("k3y5ecret", to: "open", mode: 0o444)
        #expect(read(.credential("open"), environment).contains("chmod 600"))
    }

    @Test func `a text that cannot be a key is refused, and not printed`() {
        let long = String(repeating: "k", count: SecretReader.bytesMax)
        #expect(read(.file(directory.write(long, to: "long"))) == long)
        #expect(read(.file(directory.write(long + "k", to: "long"))).contains("larger than \(SecretReader.bytesMax)"))
        for text in ["", " \n", "two words", "l\u{FC}ge", "a\u{0}b", "a\u{7F}"] {
            let problem = read(.value(text))
            #expect(problem.contains("accounts.kakao.key"), "\(problem)")
            #expect(text.isEmpty || text == " \n" || !problem.contains(text))
        }
    }

    @Test func `a missing secret is reported`() {
        #expect(read(.environment("NO_SUCH")).contains("not set"))
        #expect(read(.file(directory.file("nothing"))).contains(directory.file("nothing")))
        #expect(read(.file(directory.path)).contains(directory.path))
        #expect(read(.credential("kakao")).contains("systemd"))
        #expect(read(.credential("kakao"), ["CREDENTIALS_DIRECTORY": directory.path]).contains("/kakao"))
    }

    @Test func `an account without its secret keeps its other settings`() {
        var configuration = Configuration()
        var account = Configuration.Account(settings: ["country": "US"], baseURL: "https://example.org")
        account.secrets = ["id": .value("an-own-id"), "secret": .environment("NO_SUCH")]
        configuration.accounts["naver"] = account
        let (access, problems) = SecretReader(environment: [:]).read("naver", of: configuration)
        #expect(access.secrets.keys.sorted() == ["id"])
        #expect(access.settings == ["country": "US"])
        #expect(access.baseURL == "https://example.org")
        #expect(problems.count == 1)
        #expect("\(access)\(configuration.accounts["kakao"]?.secrets ?? [:])".contains("an-own-id") == false)
    }
}
