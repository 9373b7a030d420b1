import Catalogue
import EventLoop
import Fleet

/// Parses the value of `fleet.url`, the address of a shared server.
enum SharedServerURL {
    private static let forms = "Write valkey://HOST:6379, redis://HOST:6379 or unix:/PATH."

    static func read(_ value: Declared) throws(CatalogueError) -> SharedServerAddress {
        let text = try value.string("an address such as valkey://host:6379")
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(text.hasPrefix("unix://") ? 7 : 5))
            guard path.hasPrefix("/"), path.utf8.count <= 107, !path.utf8.contains(0) else {
                throw value.error("needs an absolute path of at most 107 bytes after unix:", hint: forms)
            }
            return .path(path)
        }
        guard let scheme = ["valkey://", "redis://", "valkeys://", "rediss://"].first(where: text.hasPrefix) else {
            throw value.error("is not the address of a Valkey or Redis server", hint: forms)
        }
        guard scheme != "valkeys://", scheme != "rediss://" else {
            let hint = "Use a tunnel, such as WireGuard or stunnel: see “TLS” in searchd-fleet(7)."
            throw value.error("needs TLS, which searchd cannot use for this connection", hint: hint)
        }
        guard !text.contains("@") else {
            throw value.error("contains a password", hint: "Set fleet.user and fleet.password instead.")
        }
        let authority = text.dropFirst(scheme.count)
        guard let address = WebAddress("http://\(authority)"), authority.allSatisfy({ !"/?#".contains($0) }) else {
            throw value.error("is not a host, or a host and a port", hint: forms)
        }
        let port = authority.dropFirst(address.host.count).dropFirst()
        let host = address.host.hasPrefix("[") ? String(address.host.dropFirst().dropLast()) : address.host
        return .network(host: host, port: port.isEmpty ? "6379" : String(port))
    }
}
