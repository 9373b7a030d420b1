import CPlatform
import EventLoop
import Glibc

enum ProgramFile {
    /// Copies a program with the program `cp`.
    ///
    /// A file that is open for writing cannot be executed. If this process wrote the copy, a process that another test
    /// starts could inherit the open descriptor.
    static func copy(_ path: String, to copy: String) {
        // The texts are valid during the call.
        let child = unsafe withCStrings(["cp", "-p", path, copy]) { unsafe platform_spawn($0, nil, -1, -1) }
        var status: Int32 = 0
        // The kernel fills in the number during the call.
        precondition(unsafe waitpid(child, &status, 0) == child && status == 0, "\(copy) can't be written")
    }
}
