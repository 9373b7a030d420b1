import Glibc

/// The groups of users that the system knows.
enum UserGroup {
    /// The number of a group; nil when there is none of that name.
    ///
    /// May ask a name service, and is not to be called from two threads at once.
    static func number(of name: String) -> UInt32? {
        // The entry is the library's, and read before anybody asks again.
        unsafe getgrnam(name).map { unsafe $0.pointee.gr_gid }
    }
}
