import Catalogue
import SearchModel

/// What the administrator or the user has written, checked; every part has a default.
struct Configuration: Sendable {
    /// How one source is to differ from its file.
    struct SourceSettings: Sendable {
        var isEnabled = true
        var ttl: Duration?
        var perSecond: Double?
        var perDay: Int?
        var concurrency: Int?
        var weight = 1.0
        var baseURL: String?
    }

    /// An account with its secrets not yet read.
    struct Account: Sendable {
        var secrets: [String: SecretPlace] = [:]
        var settings: [String: String] = [:]
        var baseURL: String?
    }

    static let cacheBytesDefault = 64 << 20

    var socket: String?
    var stateDirectory: String?
    var cacheDirectory: String?
    /// Globs; nil for every source that can be asked.
    var defaultSources: [String]?
    var sourceDirectories: [String] = []
    var accounts: [String: Account] = [:]
    var sources: [SourceName: SourceSettings] = [:]
    var cacheBytes = Self.cacheBytesDefault
}
