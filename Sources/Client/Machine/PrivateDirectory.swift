import Glibc

/// A directory that only this user can enter.
enum PrivateDirectory {
    /// Creates a directory and its parents; errors appear when the directory is used.
    static func create(_ path: String) {
        let ends = path.indices.dropFirst().filter { path[$0] == "/" } + [path.endIndex]
        for end in ends {
            // The path lives through the call.
            _ = unsafe mkdir(String(path[..<end]), 0o700)
        }
    }
}
