import CPlatform
import EventLoop
import Glibc

enum ProgramFile {
    /// Copies a program in another process, because a file that a process may write cannot be executed.
    ///
    /// A process that another test starts could inherit the open descriptor of the file.
    static func copy(_ path: String, to copy: String) {
        // The texts are valid during the call.
        let child = unsafe withCStrings(["cp", "-p", path, copy]) { unsafe platform_spawn($0, nil, -1, -1) }
        var status: Int32 = 0
        // The kernel fills in the number during the call.
        precondition(unsafe waitpid(child, &status, 0) == child && status == 0, "\(copy) can't be written")
    }
}
