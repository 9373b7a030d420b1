import EventLoop
import Testing

@testable import Daemon

@Suite struct ProcessEnvironmentTests {
    private func surroundings(_ environment: [String: String]) -> ProcessEnvironment {
        // This user has no session directory.
        ProcessEnvironment(userID: 4_294_967_000, processID: 7, environment: environment)
    }

    @Test func `the user's configuration is used before the system's`() {
        let system = "/etc/searchd/config.json5"
        #expect(surroundings([:]).configurationPaths == [system])
        #expect(surroundings(["HOME": "/h"]).configurationPaths == ["/h/.config/searchd/config.json5", system])
        let both = surroundings(["HOME": "/h", "XDG_CONFIG_HOME": "/x"])
        #expect(both.configurationPaths == ["/x/searchd/config.json5", system])
        let empty = surroundings(["HOME": "/h", "XDG_CONFIG_HOME": ""])
        #expect(empty.configurationPaths == ["/h/.config/searchd/config.json5", system])
    }

    @Test(arguments: [
        (["LANG": "ko_KR.UTF-8"], "ko"), (["LANG": "de"], "de"), (["LANG": "C.UTF-8"], "en"), (["LANG": "POSIX"], "en"),
        ([:], "en"), (["LANG": "ko_KR.UTF-8", "LC_ALL": "fr_FR@euro"], "fr"), (["LC_ALL": "", "LANG": "ja_JP"], "ja"),
        (["LANG": "../x"], "en"),
    ])
    func `the language comes from the locale`(environment: [String: String], language: String) {
        #expect(surroundings(environment).language == language)
    }

    @Test func `users have their own keys, and root also has the keys of the system`() {
        #expect(surroundings([:]).secretStore.directories == [])
        #expect(surroundings(["HOME": "/h"]).secretStore.directories == ["/h/.config/searchd/keys"])
        let root = ProcessEnvironment(userID: 0, processID: 7, environment: ["XDG_CONFIG_HOME": "/x"])
        #expect(root.secretStore.directories == ["/x/searchd/keys", "/etc/searchd/keys"])
    }

    @Test func `directories are set by systemd, XDG or the home directory, in this order`() {
        var environment: [String: String] = [:]
        #expect(surroundings(environment).stateDirectory == nil)
        #expect(surroundings(environment).cacheDirectory == nil)
        environment["HOME"] = "/h"
        #expect(surroundings(environment).stateDirectory == "/h/.local/state/searchd")
        #expect(surroundings(environment).cacheDirectory == "/h/.cache/searchd")
        environment["XDG_STATE_HOME"] = "/xs"
        environment["XDG_CACHE_HOME"] = "/xc"
        #expect(surroundings(environment).stateDirectory == "/xs/searchd")
        #expect(surroundings(environment).cacheDirectory == "/xc/searchd")
        environment["STATE_DIRECTORY"] = "/var/lib/searchd:/var/lib/other"
        environment["CACHE_DIRECTORY"] = "/var/cache/searchd"
        #expect(surroundings(environment).stateDirectory == "/var/lib/searchd")
        #expect(surroundings(environment).cacheDirectory == "/var/cache/searchd")
    }

    @Test func `the socket is in the runtime directory, the user's state directory or the system's directory`() {
        func path(_ environment: [String: String]) -> String { surroundings(environment).socketLocation.paths[0] }
        #expect(path(["XDG_RUNTIME_DIR": "/run/user/7", "HOME": "/h"]) == "/run/user/7/searchd.sock")
        #expect(path(["XDG_RUNTIME_DIR": "", "HOME": "/h"]) == "/h/.local/state/searchd/run/searchd.sock")
        #expect(path(["XDG_RUNTIME_DIR": "relative", "XDG_STATE_HOME": "/s"]) == "/s/searchd/run/searchd.sock")
        #expect(path([:]) == "/run/searchd/searchd.sock")
    }

    @Test func `the environment of this process is read`() {
        let current = ProcessEnvironment.current()
        #expect(current.variable("PATH")?.isEmpty == false)
        #expect(current.variable("SEARCHD_NO_SUCH_VARIABLE") == nil)
        #expect(current.processID > 1)
    }
}

@Suite struct SizeTextTests {
    @Test(arguments: [
        ("0", 0), ("512", 512), ("512B", 512), ("512KiB", 512 << 10), ("64MiB", 64 << 20), ("1GiB", 1 << 30),
        ("1024GiB", 1 << 40), ("1099511627776", 1 << 40),
    ])
    func `a size is a whole number and a unit`(text: String, size: Int) {
        #expect(SizeText.read(text) == size)
    }

    @Test(arguments: [
        "", "MiB", "-1", "+1", "1.5MiB", "64 MiB", " 64MiB", "64MB", "64mib", "64M", "1TiB", "1025GiB",
        "1099511627777", "99999999999999999999", "64MiBs", "٣MiB", "0x10",
    ])
    func `a text without a whole number and a valid unit is not a size`(text: String) {
        #expect(SizeText.read(text) == nil)
    }
}
