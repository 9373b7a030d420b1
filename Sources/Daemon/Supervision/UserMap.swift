/// Which users of the machine this process can tell apart (/proc/self/uid_map); pure.
///
/// In a user namespace of its own (systemd's PrivateUsers=yes) all but a few are one and the same to it: nobody.
enum UserMap {
    static let path = "/proc/self/uid_map"
    /// More than any system gives out; a namespace that maps so many maps everyone who matters.
    private static let usersMin = 65_534

    /// Whether the map's ranges cover everyone; so it is taken to be when nothing can be read.
    static func tellsUsersApart(_ text: String) -> Bool {
        let counts = text.split(separator: "\n").compactMap { line in
            line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
        }
        return counts.isEmpty || counts.reduce(0, +) >= usersMin
    }

    /// Whether this process can tell them apart.
    static var tellsUsersApart: Bool {
        guard let file = try? SmallFile.read(path, bytesMax: 1 << 16) else { return true }
        return tellsUsersApart(String(decoding: file.bytes, as: UTF8.self))
    }
}
