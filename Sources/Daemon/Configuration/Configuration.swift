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
    /// The sources of a search that names no source; if nil, the profile `@default` is used.
    var defaultSources: [Profile.Entry]?
    /// Profiles in addition to the built-in profiles; a profile with the same name replaces the built-in one.
    var profiles: [Profile] = []
    var sourceDirectories: [String] = []
    /// Hosts that source files may use even with http or at a private address.
    var allowedHosts: Set<String> = []
    /// Hosts, with or without a port, whose web pages may be fetched even at a private address.
    var pageHosts: Set<String> = []
    var feeds: [SourceName: String] = [:]
    var accounts: [String: Account] = [:]
    var sources: [SourceName: SourceSettings] = [:]
    var cacheBytes = Self.cacheBytesDefault
    /// The limit of the disk cache in bytes; 0 disables the disk cache.
    var diskBytes = Self.diskBytesDefault
    var history = HistorySettings()
    var logLevel: LogLevel?
    /// Requests that take at least this long are logged.
    var slowRequest = Self.slowRequestDefault
    /// A daemon with a socket unit exits after this time without clients; nil means never.
    var idleExit: Duration?
    /// The group whose members are administrators, in addition to root and the daemon's own user.
    var adminGroup: String?
    var fleet: Fleet?
    /// The content of the file; a reload compares it with the new content.
    var written: JSONValue = [:]
    var file = ""
    /// The position of each value in the file, by key, such as `accounts.kakao.key`.
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
    /// The error with secrets masked.
    ///
    /// A part of the key with at least eight characters and a digit is probably a secret.
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
