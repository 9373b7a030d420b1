import Catalogue
import JSON
import SearchModel

/// Reads a configuration file; the first thing that is wrong ends it, with its line and what would be right.
enum ConfigurationReader {
    static let bytesMax = 1 << 20
    private static let sourcesMax = 1000

    static func read(_ bytes: [UInt8], file: String) throws(CatalogueError) -> Configuration {
        let node: JSON5Node
        do throws(JSON5Error) {
            node = try JSON5Reader.read(bytes)
        } catch {
            throw CatalogueError(file: file, line: error.line, column: error.column, key: "", message: error.message)
        }
        var configuration = Configuration()
        let root = try Declared(node: node, file: file, key: "").object([
            "socket", "stateDirectory", "cacheDirectory", "defaultSources", "sourceDirectories", "accounts", "sources",
            "memory",
        ])
        configuration.socket = try path(root["socket"])
        configuration.stateDirectory = try path(root["stateDirectory"])
        configuration.cacheDirectory = try path(root["cacheDirectory"])
        configuration.defaultSources = try root["defaultSources"]?.strings()
        if let directories = root["sourceDirectories"] {
            for directory in try directories.list() {
                if let path = try path(directory) { configuration.sourceDirectories.append(path) }
            }
        }
        for (name, account) in try root["accounts"]?.members() ?? [] {
            configuration.accounts[name] = try Self.account(account)
        }
        for (name, source) in try root["sources"]?.members() ?? [] {
            guard let sourceName = SourceName(name) else {
                throw source.error("\(name) is no name of a source", hint: "write it as kakao.blog")
            }
            configuration.sources[sourceName] = try Self.source(source)
        }
        if let memory = root["memory"], let bytes = try memory.object(["cacheBytes"])["cacheBytes"] {
            configuration.cacheBytes = try size(bytes)
        }
        return configuration
    }

    private static func path(_ value: Declared?) throws(CatalogueError) -> String? {
        guard let value else { return nil }
        let path = try value.string("an absolute path")
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw value.error("\(path) is not an absolute path", hint: "it must begin with /")
        }
        return path
    }

    private static func account(_ value: Declared) throws(CatalogueError) -> Configuration.Account {
        var account = Configuration.Account()
        for (name, member) in try value.members() {
            if name == "baseURL" {
                account.baseURL = try baseURL(member)
            } else if member.node.members != nil {
                account.secrets[name] = try secret(member)
            } else {
                account.settings[name] = try member.string(
                    "a text, or for a secret { credential | file | env | value: \"…\" }"
                )
            }
        }
        return account
    }

    private static func secret(_ value: Declared) throws(CatalogueError) -> SecretPlace {
        let members = try value.object(["credential", "file", "env", "value"]).members
        guard members.count == 1, let member = members.first else {
            throw value.error("says more than one place, or none", hint: "give one of credential, file, env and value")
        }
        let text = try member.value.string()
        switch member.name {
        case "credential":
            guard !text.contains("/"), text != "..", text != "." else {
                throw member.value.error("a credential's name holds a slash", hint: "give the name alone")
            }
            return .credential(text)
        case "file": return .file(try path(member.value) ?? text)
        case "env": return .environment(text)
        default: return .value(text)
        }
    }

    private static func source(_ value: Declared) throws(CatalogueError) -> Configuration.SourceSettings {
        var settings = Configuration.SourceSettings()
        let object = try value.object(["enabled", "ttl", "limits", "weight", "baseURL"])
        settings.isEnabled = try object["enabled"]?.bool() ?? true
        settings.ttl = try object["ttl"]?.duration()
        settings.weight = try object["weight"]?.double(in: 0.01...100) ?? 1
        if let url = object["baseURL"] { settings.baseURL = try baseURL(url) }
        if let limits = object["limits"] {
            let limits = try limits.object(["perSecond", "perDay", "concurrency"])
            settings.perSecond = try limits["perSecond"]?.double(in: 0.001...10_000)
            settings.perDay = try limits["perDay"]?.integer(in: 1...1_000_000_000)
            settings.concurrency = try limits["concurrency"]?.integer(in: 1...256)
        }
        return settings
    }

    private static func baseURL(_ value: Declared) throws(CatalogueError) -> String {
        let url = try value.string("a URL such as http://127.0.0.1:8080")
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw value.error("\(url) is no URL", hint: "it must begin with https:// or http://")
        }
        return url
    }

    private static func size(_ value: Declared) throws(CatalogueError) -> Int {
        let text = try value.string("a size such as 64MiB")
        guard let size = SizeText.read(text), size >= 1 << 20 else {
            throw value.error("\(text) is no size of at least 1MiB", hint: "write 512KiB, 64MiB or 1GiB")
        }
        return size
    }
}
