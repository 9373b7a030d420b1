import Catalogue
import JSON
import Personal
import SearchModel

/// Reads a configuration file.
///
/// What is wrong is left out and becomes a problem, so that one look finds all of them; with a problem the
/// configuration is for checking only.
struct ConfigurationReader {
    static let bytesMax = 1 << 20
    static let allowedHostsMax = 100
    static let keys = [
        "socket", "stateDirectory", "cacheDirectory", "defaultSources", "profiles", "sourceDirectories", "allowedHosts",
        "accounts", "sources", "memory", "disk", "history", "log", "idleExit", "adminGroup",
    ]
    static let sourceKeys = ["enabled", "ttl", "limits", "weight", "baseURL"]
    static let limitKeys = ["perSecond", "perDay", "concurrency"]
    /// Of `memory` and of `disk`.
    static let cacheKeys = ["cacheBytes"]
    static let historyKeys = ["enabled", "keep"]
    static let logKeys = ["level", "slowRequest"]
    /// Every key by the path that leads to it; the manual describes each.
    static var paths: [String] {
        keys + ["memory", "disk"].flatMap { tier in cacheKeys.map { "\(tier).\($0)" } }
            + historyKeys.map { "history.\($0)" } + logKeys.map { "log.\($0)" }
            + sourceKeys.map { "sources.NAME.\($0)" } + limitKeys.map { "sources.NAME.limits.\($0)" }
    }

    private var configuration = Configuration()
    private var problems: [CatalogueError] = []

    /// The configuration as far as it is right, and what is wrong, in the order of the file.
    static func read(_ bytes: [UInt8], file: String) -> (configuration: Configuration, problems: [CatalogueError]) {
        var reader = ConfigurationReader()
        reader.configuration.file = file
        do throws(JSON5Error) {
            let node = try JSON5Reader.read(bytes)
            reader.configuration.written = node.plain
            reader.read(Declared(node: node, file: file, key: ""))
        } catch {
            reader.problems = [
                CatalogueError(file: file, line: error.line, column: error.column, key: "", message: error.message)
            ]
        }
        return (reader.configuration, reader.problems)
    }

    private init() {}

    /// The value of a body, which remembers where it stood; nil when it is wrong, which becomes a problem.
    private mutating func take<Value>(
        _ declared: Declared,
        _ body: (Declared) throws(CatalogueError) -> Value
    ) -> Value? {
        configuration.positions[declared.key] = Configuration.Position(
            line: declared.node.line,
            column: declared.node.column
        )
        do throws(CatalogueError) {
            return try body(declared)
        } catch {
            problems.append(error)
            return nil
        }
    }

    private mutating func members(_ declared: Declared) -> [(name: String, value: Declared)] {
        take(declared) { value throws(CatalogueError) in try value.members() } ?? []
    }

    private mutating func elements(_ declared: Declared) -> [Declared] {
        take(declared) { value throws(CatalogueError) in try value.list() } ?? []
    }

    private mutating func refuse(_ name: String, _ value: Declared, among names: [String]) {
        problems.append(value.error("is not known here", hint: NearestName.hint(for: name, among: names)))
    }

    private mutating func read(_ root: Declared) {
        for (name, value) in members(root) {
            switch name {
            case "socket": configuration.socket = take(value, ConfigurationValue.path)
            case "stateDirectory": configuration.stateDirectory = take(value, ConfigurationValue.path)
            case "cacheDirectory": configuration.cacheDirectory = take(value, ConfigurationValue.path)
            case "defaultSources":
                let sources = elements(value)
                if sources.count > Profile.entriesMax {
                    problems.append(value.error("has more than \(Profile.entriesMax) sources"))
                }
                configuration.defaultSources = entries(sources)
            case "profiles": readProfiles(value)
            case "sourceDirectories":
                configuration.sourceDirectories = elements(value).compactMap { take($0, ConfigurationValue.path) }
            case "allowedHosts":
                let hosts = elements(value)
                if hosts.count > Self.allowedHostsMax {
                    problems.append(value.error("has more than \(Self.allowedHostsMax) hosts"))
                }
                configuration.allowedHosts = Set(hosts.compactMap { take($0, ConfigurationValue.host) })
            case "accounts":
                for (name, account) in members(value) { configuration.accounts[name] = self.account(account) }
            case "sources":
                for (name, source) in members(value) { readSource(name, source) }
            case "memory": readCacheBytes(value, into: \.cacheBytes, ConfigurationValue.size)
            case "disk": readCacheBytes(value, into: \.diskBytes, ConfigurationValue.sizeOrNone)
            case "history": readHistory(value)
            case "log": readLog(value)
            case "idleExit": configuration.idleExit = take(value, ConfigurationValue.idleExit)
            case "adminGroup": configuration.adminGroup = take(value, ConfigurationValue.group)
            default: refuse(name, value, among: Self.keys)
            }
        }
    }

    private mutating func readProfiles(_ value: Declared) {
        let profiles = members(value)
        if profiles.count > Profile.countMax {
            problems.append(value.error("has more than \(Profile.countMax) profiles"))
        }
        for (name, value) in profiles {
            guard let name = take(value, { value throws(CatalogueError) in try Profile.checked(name, value) }),
                let (about, sources) = take(value, Profile.parts)
            else { continue }
            configuration.profiles.append(Profile(name: name, about: about, entries: entries(sources)))
        }
    }

    private mutating func entries(_ values: [Declared]) -> [Profile.Entry] {
        values.compactMap { take($0) { value throws(CatalogueError) in try Profile.Entry(value) } }
    }

    private mutating func readCacheBytes(
        _ value: Declared,
        into target: WritableKeyPath<Configuration, Int>,
        _ size: (Declared) throws(CatalogueError) -> Int
    ) {
        for (name, value) in members(value) {
            if name == "cacheBytes" {
                configuration[keyPath: target] = take(value, size) ?? configuration[keyPath: target]
            } else {
                refuse(name, value, among: Self.cacheKeys)
            }
        }
    }

    private mutating func readHistory(_ value: Declared) {
        for (name, member) in members(value) {
            switch name {
            case "enabled":
                let isEnabled = take(member) { value throws(CatalogueError) in try value.bool() }
                configuration.history.isEnabled = isEnabled ?? true
            case "keep":
                configuration.history.keep = take(member, ConfigurationValue.keep) ?? configuration.history.keep
            default: refuse(name, member, among: Self.historyKeys)
            }
        }
    }

    private mutating func readLog(_ value: Declared) {
        for (name, member) in members(value) {
            switch name {
            case "level": configuration.logLevel = take(member, ConfigurationValue.logLevel)
            case "slowRequest":
                configuration.slowRequest =
                    take(member) { value throws(CatalogueError) in try value.duration() } ?? configuration.slowRequest
            default: refuse(name, member, among: Self.logKeys)
            }
        }
    }

    private mutating func account(_ value: Declared) -> Configuration.Account {
        var account = Configuration.Account()
        for (name, member) in members(value) {
            if name == "baseURL" {
                account.baseURL = take(member, ConfigurationValue.baseURL)
            } else if member.node.members != nil {
                account.secrets[name] = take(member, ConfigurationValue.secret)
            } else {
                account.settings[name] = take(member, ConfigurationValue.setting)
            }
        }
        return account
    }

    private mutating func readSource(_ name: String, _ value: Declared) {
        let sourceName = take(value) { value throws(CatalogueError) in
            guard let sourceName = SourceName(name) else {
                throw value.error("\(name) is no name of a source", hint: "Write it as kakao.blog.")
            }
            return sourceName
        }
        var settings = Configuration.SourceSettings()
        for (name, member) in members(value) {
            switch name {
            case "enabled":
                settings.isEnabled = take(member) { value throws(CatalogueError) in try value.bool() } ?? true
            case "ttl": settings.ttl = take(member) { value throws(CatalogueError) in try value.duration() }
            case "weight": settings.weight = take(member, ConfigurationValue.weight) ?? 1
            case "baseURL": settings.baseURL = take(member, ConfigurationValue.baseURL)
            case "limits": settings.limits = limits(member)
            default: refuse(name, member, among: Self.sourceKeys)
            }
        }
        if let sourceName { configuration.sources[sourceName] = settings }
    }

    private mutating func limits(_ value: Declared) -> Limits {
        var limits = Limits()
        for (name, member) in members(value) {
            switch name {
            case "perSecond": limits.perSecond = take(member, ConfigurationValue.perSecond)
            case "perDay": limits.perDay = take(member, ConfigurationValue.perDay)
            case "concurrency": limits.concurrency = take(member, ConfigurationValue.concurrency)
            default: refuse(name, member, among: ["perSecond", "perDay", "concurrency"])
            }
        }
        return limits
    }
}
