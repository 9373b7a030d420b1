import CPlatform
import EventLoop
import Glibc

enum ProgramFile {
    /// Copies a file in another process, so that no process can have inherited the new file open for writing.
    ///
    /// Such a file can't be executed ("text file busy") until that process, which another test may start, closes it.
    static func copy(_ path: String, to copy: String) {
        // The texts are valid during the call.
        let child = unsafe withCStrings(["cp", "-p", path, copy]) { unsafe platform_spawn($0, nil, -1, -1) }
        var status: Int32 = 0
        // The kernel fills in the number during the call.
        precondition(unsafe waitpid(child, &status, 0) == child && status == 0, "\(copy) can't be written")
    }
}
