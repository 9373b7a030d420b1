import Catalogue
import HTTP
import JSON
import SearchModel

/// Parses single values of the configuration.
enum ConfigurationValue {
    typealias Parser<Value> = @Sendable (Declared) throws(CatalogueError) -> Value

    static func bool(_ value: Declared) throws(CatalogueError) -> Bool { try value.bool() }

    static func number(in range: ClosedRange<Double>) -> Parser<Double> {
        { value throws(CatalogueError) in try value.double(in: range) }
    }

    static func integer(in range: ClosedRange<Int>) -> Parser<Int> {
        { value throws(CatalogueError) in try value.integer(in: range) }
    }

    static func duration(_ value: Declared) throws(CatalogueError) -> Duration { try value.duration() }

    static func idleExit(_ value: Declared) throws(CatalogueError) -> Duration {
        try duration(value, atLeast: IdleWatch.pauseMin, hint: "Write at least 1s, such as 10m.")
    }

    static func keep(_ value: Declared) throws(CatalogueError) -> Duration {
        try duration(value, atLeast: .seconds(60), hint: "Write at least 1m. To keep nothing, write enabled: false.")
    }

    private static func duration(
        _ value: Declared,
        atLeast minimum: Duration,
        hint: String
    ) throws(CatalogueError) -> Duration {
        let duration = try value.duration()
        guard duration >= minimum else { throw value.error("is too short", hint: hint) }
        return duration
    }

    static func path(_ value: Declared) throws(CatalogueError) -> String {
        let path = try value.string("an absolute path")
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw value.error("is not an absolute path", hint: "It must begin with /.")
        }
        return path
    }

    static func setting(_ value: Declared) throws(CatalogueError) -> String {
        try value.string("a text, or for a secret { credential | file | env | value: \"…\" }")
    }

    static func secret(_ value: Declared) throws(CatalogueError) -> SecretLocation {
        let members = try value.object(["credential", "file", "env", "value"]).members
        guard members.count == 1, let member = members.first else {
            throw value.error("must have one location", hint: "Give one of “credential”, “file”, “env” and “value”.")
        }
        let text = try member.value.string()
        switch member.name {
        case "credential":
            guard !text.contains("/"), text != "..", text != "." else {
                throw member.value.error("is not the name of a credential", hint: "Give the name without a path.")
            }
            return .credential(text)
        case "file": return .file(try path(member.value))
        case "env": return .environment(text)
        default: return .value(text)
        }
    }

    static func prefix(_ value: Declared) throws(CatalogueError) -> String {
        let prefix = try value.string("a prefix for the names of records, such as searchd")
        // Other characters may have a special meaning in keys and channels of the shared server.
        let isPlain = prefix.utf8.allSatisfy { $0.isLetter || $0.isDigit || Set("-_.:".utf8).contains($0) }
        guard isPlain, (1...64).contains(prefix.utf8.count) else {
            throw value.error("is not a valid prefix", hint: "Write up to 64 letters, digits, and - _ . :")
        }
        return prefix
    }

    static func baseURL(_ value: Declared) throws(CatalogueError) -> String {
        let url = try value.string("a URL such as http://127.0.0.1:8080")
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw value.error("is not a valid URL", hint: "It must begin with https:// or http://.")
        }
        return url
    }

    static func host(_ value: Declared) throws(CatalogueError) -> String {
        let host = try value.string("a host such as api.example.org").lowercased()
        guard WebAddress("http://\(host)")?.host == host, !host.contains("*"), host.utf8.allSatisfy({ $0 < 0x80 })
        else {
            throw value.error(
                "\u{201C}\(host)\u{201D} is not a valid host name",
                hint: "Write the host alone, such as api.example.org, 127.0.0.1 or [::1]."
            )
        }
        return host
    }

    static func hostAndPort(_ value: Declared) throws(CatalogueError) -> String {
        let host = try value.string("a host such as wiki.lan or 127.0.0.1:8080").lowercased()
        guard !host.contains(where: { "/?#".contains($0) }), (try? FetchURL("http://\(host)")) != nil else {
            throw value.error(
                "\u{201C}\(host)\u{201D} is not a valid host",
                hint: "Write it like wiki.lan, 127.0.0.1:8080 or [::1]."
            )
        }
        return host
    }

    static func entry(_ value: Declared) throws(CatalogueError) -> Profile.Entry { try Profile.Entry(value) }

    static func sourceName(_ name: String, _ value: Declared) throws(CatalogueError) -> SourceName {
        if let sourceName = SourceName(name) { return sourceName }
        throw value.error("is not a valid source name", hint: "Write a name like kakao.blog.")
    }

    static func logLevel(_ value: Declared) throws(CatalogueError) -> LogLevel {
        try value.word(LogLevel.allCases.map { ("\($0)", $0) })
    }

    static func group(_ value: Declared) throws(CatalogueError) -> String {
        let name = try value.string("the name of a group of users")
        guard !name.utf8.contains(0) else {
            throw value.error("is not a valid group name", hint: "Write the name of a group in /etc/group.")
        }
        return name
    }

    static func sizeOrNone(_ value: Declared) throws(CatalogueError) -> Int {
        try value.string("a size such as 256MiB, or 0 for none") == "0" ? 0 : size(value)
    }

    static func size(_ value: Declared) throws(CatalogueError) -> Int {
        let text = try value.string("a size such as 64MiB")
        guard let size = SizeText.read(text), size >= 1 << 20 else {
            throw value.error("\(text) is not a size of at least 1MiB", hint: "Write 1MiB, 64MiB or 1GiB.")
        }
        return size
    }
}

enum SizeText {
    private static let shifts = ["": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30]
    private static let bytesMax = 1 << 40

    /// Parses a size such as `64MiB`; returns nil above 1 TiB.
    static func read(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), let shift = shifts[String(text.dropFirst(digits.count))],
            count <= bytesMax >> shift
        else { return nil }
        return count << shift
    }
}
