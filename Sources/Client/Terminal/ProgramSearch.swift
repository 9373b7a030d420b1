import Glibc

/// Finds programs in PATH.
enum ProgramSearch {
    /// The path of the first one of a name; relative directories are passed over.
    static func path(of name: String, _ environment: Environment) -> String? {
        (environment["PATH"] ?? "").split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
            .first { path in
                // The path lives through the call.
                unsafe access(path, X_OK) == 0
            }
    }
}
