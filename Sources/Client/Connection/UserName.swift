import Glibc

/// Users as people call them.
enum UserName {
    /// More than any entry of the machine's users takes.
    private static let entryBytesMax = 16 << 10

    /// The user's name; the number where no user of the machine has it.
    static func text(_ userID: UInt32) -> String {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: entryBytesMax)
        // The call fills the locals, of the size given; the name lies in the buffer and is copied before that goes.
        let status = unsafe getpwuid_r(userID, &entry, &buffer, buffer.count, &found)
        guard status == 0, unsafe found != nil, let name = unsafe entry.pw_name else { return String(userID) }
        return unsafe String(cString: name)
    }
}
