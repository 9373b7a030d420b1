import Catalogue
import JSON

/// The single values of a configuration: each is read, or refused with what would be right.
enum ConfigurationValue {
    static func path(_ value: Declared) throws(CatalogueError) -> String {
        let path = try value.string("an absolute path")
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw value.error("\(path) is not an absolute path", hint: "It must begin with /.")
        }
        return path
    }

    static func setting(_ value: Declared) throws(CatalogueError) -> String {
        try value.string("a text, or for a secret { credential | file | env | value: \"…\" }")
    }

    static func secret(_ value: Declared) throws(CatalogueError) -> SecretLocation {
        let members = try value.object(["credential", "file", "env", "value"]).members
        guard members.count == 1, let member = members.first else {
            throw value.error(
                "names more than one location, or none",
                hint: "Give one of credential, file, env and value."
            )
        }
        let text = try member.value.string()
        switch member.name {
        case "credential":
            guard !text.contains("/"), text != "..", text != "." else {
                throw member.value.error("a credential's name holds a slash", hint: "Give the name alone.")
            }
            return .credential(text)
        case "file": return .file(try path(member.value))
        case "env": return .environment(text)
        default: return .value(text)
        }
    }

    static func baseURL(_ value: Declared) throws(CatalogueError) -> String {
        let url = try value.string("a URL such as http://127.0.0.1:8080")
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw value.error("\(url) is no URL", hint: "It must begin with https:// or http://.")
        }
        return url
    }

    /// A host as the catalogue compares it: in lower case, an IPv6 address in brackets.
    static func host(_ value: Declared) throws(CatalogueError) -> String {
        let host = try value.string("a host such as api.example.org").lowercased()
        guard WebAddress("http://\(host)")?.host == host, !host.contains("*"), host.utf8.allSatisfy({ $0 < 0x80 })
        else {
            throw value.error(
                "\u{201C}\(host)\u{201D} is no host",
                hint: "Write one host alone, as api.example.org, 127.0.0.1 or [::1]."
            )
        }
        return host
    }

    static func logLevel(_ value: Declared) throws(CatalogueError) -> LogLevel {
        let text = try value.string("one of \(LogLevel.names.joined(separator: ", "))")
        guard let level = LogLevel(named: text) else {
            throw value.error("\(text) is no level", hint: "Write one of \(LogLevel.names.joined(separator: ", ")).")
        }
        return level
    }

    static func idleExit(_ value: Declared) throws(CatalogueError) -> Duration {
        let duration = try value.duration()
        guard duration >= IdleExit.pauseMin else {
            throw value.error("is too short", hint: "Write at least \(IdleExit.pauseMin.components.seconds)s, or 10m.")
        }
        return duration
    }

    /// How long something is kept.
    static func keep(_ value: Declared) throws(CatalogueError) -> Duration {
        let duration = try value.duration()
        guard duration >= .seconds(60) else {
            throw value.error("is too short", hint: "Write at least 1m, or 90d; \"enabled: false\" keeps nothing.")
        }
        return duration
    }

    static func group(_ value: Declared) throws(CatalogueError) -> String {
        let name = try value.string("the name of a group of users")
        guard !name.isEmpty, !name.utf8.contains(0) else {
            throw value.error("is no name of a group", hint: "Write one of /etc/group.")
        }
        return name
    }

    static func weight(_ value: Declared) throws(CatalogueError) -> Double {
        try value.double(in: 0.01...100)
    }

    static func perSecond(_ value: Declared) throws(CatalogueError) -> Double {
        try value.double(in: 0.001...10_000)
    }

    static func perDay(_ value: Declared) throws(CatalogueError) -> Int {
        try value.integer(in: 1...1_000_000_000)
    }

    static func concurrency(_ value: Declared) throws(CatalogueError) -> Int {
        try value.integer(in: 1...256)
    }

    /// A size, or none at all.
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

/// Sizes as a person writes them: `512KiB`, `64MiB`, `1GiB`, or bytes.
enum SizeText {
    /// The size in bytes; nil for anything but one whole number and one unit, and for more than 1 TiB.
    static func read(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count <= 1 << 40 else { return nil }
        let shift: Int
        switch text.dropFirst(digits.count) {
        case "", "B": shift = 0
        case "KiB": shift = 10
        case "MiB": shift = 20
        case "GiB": shift = 30
        default: return nil
        }
        guard count <= (1 << 40) >> shift else { return nil }
        return count << shift
    }
}
