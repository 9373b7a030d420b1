import Catalogue
import Personal
import SearchModel

/// A key of an object in the configuration file, with the function that reads its value.
struct ConfigurationKey<Root>: Sendable {
    let name: String
    /// This key and all keys below it, such as `memory` and `memory.cacheBytes`.
    let paths: [String]
    let read: @Sendable (Declared, inout Root, inout ConfigurationReader) -> Void

    init(
        _ name: String,
        below: [String] = [],
        read: @escaping @Sendable (Declared, inout Root, inout ConfigurationReader) -> Void
    ) {
        self.name = name
        paths = [name] + below.map { "\(name).\($0)" }
        self.read = read
    }

    init<Value>(
        _ name: String,
        _ target: any WritableKeyPath<Root, Value> & Sendable,
        _ parse: @escaping @Sendable (Declared) throws(CatalogueError) -> Value
    ) {
        self.init(name) { declared, root, reader in
            if let value = reader.take(declared, parse) { root[keyPath: target] = value }
        }
    }

    init(_ name: String, _ keys: [ConfigurationKey]) {
        self.init(name, below: keys.flatMap(\.paths)) { declared, root, reader in
            reader.read(declared, into: &root, keys)
        }
    }
}

/// All keys that a configuration file may contain.
enum ConfigurationKeys {
    typealias Key = ConfigurationKey<Configuration>
    typealias FleetKey = ConfigurationKey<Configuration.Fleet>
    typealias SourceKey = ConfigurationKey<Configuration.SourceSettings>

    static let allowedHostsMax = 100

    static let all = [
        Key("socket", \.socket, ConfigurationValue.path),
        Key("stateDirectory", \.stateDirectory, ConfigurationValue.path),
        Key("cacheDirectory", \.cacheDirectory, ConfigurationValue.path),
        Key("defaultSources") { value, configuration, reader in
            configuration.defaultSources = reader.list(value, countMax: Profile.entriesMax, ConfigurationValue.entry)
        },
        Key("profiles") { value, configuration, reader in configuration.profiles = reader.profiles(value) },
        Key("sourceDirectories") { value, configuration, reader in
            configuration.sourceDirectories = reader.list(value, ConfigurationValue.path)
        },
        Key("allowedHosts") { value, configuration, reader in
            configuration.allowedHosts = Set(reader.list(value, countMax: allowedHostsMax, ConfigurationValue.host))
        },
        Key(
            "pages",
            [
                Key("allowedHosts") { value, configuration, reader in
                    configuration.pageHosts = Set(
                        reader.list(value, countMax: allowedHostsMax, ConfigurationValue.hostAndPort)
                    )
                }
            ]
        ),
        Key("feeds") { value, configuration, reader in
            for (name, address) in reader.members(value) {
                let feed = reader.take(address) { value throws(CatalogueError) in
                    (try ConfigurationValue.sourceName("feed.\(name)", value), try ConfigurationValue.baseURL(value))
                }
                if let feed { configuration.feeds[feed.0] = feed.1 }
            }
        },
        Key("accounts") { value, configuration, reader in
            for (name, account) in reader.members(value) { configuration.accounts[name] = reader.account(account) }
        },
        Key("sources", below: source.flatMap(\.paths).map { "NAME.\($0)" }) { value, configuration, reader in
            for (name, source) in reader.members(value) {
                let sourceName = reader.take(source) { value throws(CatalogueError) in
                    try ConfigurationValue.sourceName(name, value)
                }
                var settings = Configuration.SourceSettings()
                reader.read(source, into: &settings, Self.source)
                if let sourceName { configuration.sources[sourceName] = settings }
            }
        },
        Key("memory", [Key("cacheBytes", \.cacheBytes, ConfigurationValue.size)]),
        Key("disk", [Key("cacheBytes", \.diskBytes, ConfigurationValue.sizeOrNone)]),
        Key(
            "history",
            [
                Key("enabled", \.history.isEnabled, ConfigurationValue.bool),
                Key("keep", \.history.keep, ConfigurationValue.keep),
            ]
        ),
        Key(
            "log",
            [
                Key("level", \.logLevel, ConfigurationValue.logLevel),
                Key("slowRequest", \.slowRequest, ConfigurationValue.duration),
            ]
        ),
        Key("idleExit", \.idleExit, ConfigurationValue.idleExit),
        Key("adminGroup", \.adminGroup, ConfigurationValue.group),
        Key("fleet", below: fleet.map(\.name)) { value, configuration, reader in
            var settings = Configuration.Fleet()
            reader.read(value, into: &settings, fleet)
            configuration.fleet = settings
        },
    ]

    static let fleet = [
        FleetKey("url", \.address, SharedServerURL.read),
        FleetKey("user", \.user, ConfigurationValue.setting),
        FleetKey("password", \.password, ConfigurationValue.secret),
        FleetKey("prefix", \.prefix, ConfigurationValue.prefix),
        FleetKey("offlineShare", \.offlineShare, ConfigurationValue.number(in: 0...1)),
    ]

    static let quota = [
        ConfigurationKey<QuotaChange>("limit", \.limit, Amount.init),
        ConfigurationKey<QuotaChange>("cost", \.cost, Amount.init),
        ConfigurationKey<QuotaChange>("reserve", \.reserve, Amount.init),
    ]

    static let source = [
        SourceKey("enabled", \.isEnabled, ConfigurationValue.bool),
        SourceKey("ttl", \.ttl, ConfigurationValue.duration),
        SourceKey("weight", \.weight, ConfigurationValue.number(in: 0.01...100)),
        SourceKey("baseURL", \.baseURL, ConfigurationValue.baseURL),
        SourceKey(
            "limits",
            [
                SourceKey("perSecond", \.limits.perSecond, ConfigurationValue.number(in: 0.001...10_000)),
                SourceKey("perDay", \.limits.perDay, ConfigurationValue.integer(in: 1...1_000_000_000)),
                SourceKey("concurrency", \.limits.concurrency, ConfigurationValue.integer(in: 1...256)),
            ]
        ),
    ]
}
