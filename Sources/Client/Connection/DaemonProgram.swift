import Glibc

/// Finds the `searchd` to start.
enum DaemonProgram {
    /// The one beside this program, so that versions match; else the first in PATH.
    static func find(environment: Environment) -> String? {
        candidates(ownPath: ownPath(), searchPath: environment["PATH"]).first { path in
            // The path lives through the call.
            unsafe access(path, X_OK) == 0
        }
    }

    /// The places to look at, in order; pure.
    static func candidates(ownPath: String?, searchPath: String?) -> [String] {
        var directories: [Substring] = []
        if let ownPath, let slash = ownPath.lastIndex(of: "/") { directories.append(ownPath[..<slash]) }
        // A relative directory in PATH would start whatever lies in the current one.
        directories += (searchPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return directories.map { "\($0)/searchd" }
    }

    private static func ownPath() -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        // The kernel fills at most the array's length, during the call.
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe readlink("/proc/self/exe", base, buffer.count)
        }
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
