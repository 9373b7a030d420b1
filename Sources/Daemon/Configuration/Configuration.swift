import Catalogue
import JSON
import Personal
import SearchModel

/// What the administrator or the user has written, checked; every part has a default.
struct Configuration: Sendable {
    /// How one source is to differ from its file.
    struct SourceSettings: Sendable {
        var isEnabled = true
        var ttl: Duration?
        var limits = Limits()
        var weight = 1.0
        var baseURL: String?
    }

    /// An account with its secrets not yet read.
    struct Account: Sendable {
        var secrets: [String: SecretLocation] = [:]
        var settings: [String: String] = [:]
        var baseURL: String?
    }

    /// Line and column of a value in the file.
    struct Position: Sendable {
        let line: Int
        let column: Int
    }

    static let cacheBytesDefault = 64 << 20
    static let diskBytesDefault = 256 << 20
    static let slowRequestDefault = Duration.seconds(1)

    var socket: String?
    var stateDirectory: String?
    var cacheDirectory: String?
    /// What a search asks that names no source; nil for the profile `@default`.
    var defaultSources: [Profile.Entry]?
    /// Beside the program's own, or in their stead.
    var profiles: [Profile] = []
    var sourceDirectories: [String] = []
    /// Hosts that source files may ask although they are not public, or by http.
    var allowedHosts: Set<String> = []
    var accounts: [String: Account] = [:]
    var sources: [SourceName: SourceSettings] = [:]
    var cacheBytes = Self.cacheBytesDefault
    /// Byte limit of the disk cache; 0 disables it.
    var diskBytes = Self.diskBytesDefault
    var history = HistorySettings()
    var logLevel: LogLevel?
    /// A request that takes longer gets a line in the log.
    var slowRequest = Self.slowRequestDefault
    /// After how long without clients a daemon whose socket was handed over ends; nil for never.
    var idleExit: Duration?
    /// The group whose members may reload, beside root and the daemon's own user.
    var adminGroup: String?
    /// All of it as it was written, without positions: what a reload compares.
    var written: JSONValue = [:]
    var file = ""
    /// Of every value that was read, by its key, as `accounts.kakao.key`.
    var positions: [String: Position] = [:]

    /// Something that is wrong with a value although it can be read.
    func problem(_ key: String, _ message: String, hint: String? = nil) -> CatalogueError {
        let position = positions[key] ?? Position(line: 0, column: 0)
        return CatalogueError(
            file: file,
            line: position.line,
            column: position.column,
            key: key,
            message: message,
            hint: hint
        )
    }
}
