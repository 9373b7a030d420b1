import Catalogue
import Fleet
import JSON
import Personal
import SearchModel

/// The settings of a configuration file, each with its default.
struct Configuration: Sendable {
    struct SourceSettings: Sendable {
        var isEnabled = true
        var ttl: Duration?
        var limits = Limits()
        var weight = 1.0
        var baseURL: String?
    }

    struct Account: Sendable {
        var secrets: [String: SecretLocation] = [:]
        var settings: [String: String] = [:]
        var quotas: [String: QuotaChange] = [:]
        var baseURL: String?
    }

    struct Fleet: Sendable {
        var address: SharedServerAddress?
        var user: String?
        var password: SecretLocation?
        var prefix = "searchd"
        var offlineShare = 0.0
    }

    static let cacheBytesDefault = 64 << 20
    static let diskBytesDefault = 256 << 20
    static let slowRequestDefault = Duration.seconds(1)

    var socket: String?
    var stateDirectory: String?
    var cacheDirectory: String?
    /// If nil, searches without sources use the profile `@default`.
    var defaultSources: [Profile.Entry]?
    var profiles: [Profile] = []
    var sourceDirectories: [String] = []
    /// Source files may use these hosts even with http or at a private address.
    var allowedHosts: Set<String> = []
    /// Web pages may be fetched from these hosts, even at a private address.
    var pageHosts: Set<String> = []
    var feeds: [SourceName: String] = [:]
    var accounts: [String: Account] = [:]
    var sources: [SourceName: SourceSettings] = [:]
    var cacheBytes = Self.cacheBytesDefault
    /// 0 disables the disk cache.
    var diskBytes = Self.diskBytesDefault
    var history = HistorySettings()
    var logLevel: LogLevel?
    var slowRequest = Self.slowRequestDefault
    /// How long a daemon with a socket unit stays idle before it exits, or nil if it does not exit.
    var idleExit: Duration?
    var adminGroup: String?
    var fleet: Fleet?
    /// The content of the file, which a reload compares with the new content.
    var written: JSONValue = [:]
    var file = ""
    /// The position of each key, such as `accounts.kakao.key`.
    var positions: [String: (line: Int, column: Int)] = [:]

    func problem(_ key: String, _ message: String, hint: String? = nil) -> CatalogueError {
        let position = positions[key] ?? (0, 0)
        return CatalogueError(
            file: file,
            line: position.line,
            column: position.column,
            key: key,
            message: message,
            hint: hint
        )
        .masked
    }
}

extension CatalogueError {
    /// Masks the parts of the configuration key that look like a secret.
    var masked: CatalogueError {
        let names = key.split(separator: ".", omittingEmptySubsequences: false).map { name in
            let isSecret =
                name.utf8.count >= Secret.bytesMin && name.utf8.contains(where: \.isDigit)
                && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
            return isSecret ? "‹secret›" : String(name)
        }
        let masked = names.joined(separator: ".")
        return CatalogueError(file: file, line: line, column: column, key: masked, message: message, hint: hint)
    }
}
