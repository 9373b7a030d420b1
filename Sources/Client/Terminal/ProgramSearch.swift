import Glibc

/// Finds programs as a shell does.
enum ProgramSearch {
    /// What a shell looks through when `PATH` is not set.
    private static let standardPath = "/usr/local/bin:/usr/bin:/bin"

    /// A path as it is; of a plain name the first in `PATH`, whose relative directories are passed over.
    static func path(of name: String, _ environment: Environment) -> String? {
        if name.utf8.contains(UInt8(ascii: "/")) { return canRun(name) ? name : nil }
        let directories = (environment["PATH"] ?? standardPath).split(separator: ":").filter { $0.hasPrefix("/") }
        return directories.lazy.map { "\($0)/\(name)" }.first(where: canRun)
    }

    private static func canRun(_ path: String) -> Bool {
        // The path lives through the call.
        unsafe access(path, X_OK) == 0
    }
}
