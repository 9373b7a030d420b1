import CPlatform
import EventLoop
import Glibc

/// Another program in the place of this one.
enum ProgramReplacement {
    /// Becomes a program; returns only when that fails.
    ///
    /// - Parameters:
    ///   - path: Where the program is.
    ///   - words: Its command line, beginning with its name.
    ///   - variables: What its environment has unless ours has it.
    /// - Returns: Why it could not be done.
    static func run(_ path: String, _ words: [String], variables: [String: String] = [:]) -> ClientError {
        // The path lives through the call. What can't be run is seen before this process changes at all.
        guard unsafe access(path, X_OK) == 0 else { return failure(path) }
        _ = platform_reset_signals()
        // No thread of ours reads the environment meanwhile; the call copies both texts.
        for (name, value) in variables { unsafe setenv(name, value, 0) }
        // The strings and their list are the new program's from here on; the list ends with NULL as execv wants it.
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        _ = unsafe execv(path, &arguments)
        return failure(path)
    }

    private static func failure(_ path: String) -> ClientError {
        let error = SystemError(call: path, number: platform_errno())
        return ClientError(.noDaemon, "\(path.split(separator: "/").last ?? "") could not be run (\(error))")
    }
}
