import Glibc

/// A directory that only this user can enter.
enum PrivateDirectory {
    /// Creates a directory and its parents, and ignores errors, because the use of the directory then fails.
    static func create(_ path: String) {
        let ends = path.indices.dropFirst().filter { path[$0] == "/" } + [path.endIndex]
        for end in ends {
            // The path is valid during the call.
            _ = unsafe mkdir(String(path[..<end]), 0o700)
        }
    }
}
