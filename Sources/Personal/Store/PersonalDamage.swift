import EventLoop
import Storage

/// A user's file that was damaged and set aside, as long as it is kept.
package struct PersonalDamage: Equatable, Sendable {
    /// Of several the latest are told.
    static let toldMax = 10
    private static let mark = ".damaged-"

    /// Where it is now.
    package let file: String
    /// When that was found, in seconds since 1970.
    package let at: Int64

    /// Where a file goes that is found to be damaged: no other is there, nor anything of one.
    static func freeName(of file: String, at seconds: Int64) -> String {
        var at = seconds
        while ["", "-wal"].contains(where: { DatabaseFile.isThere("\(file)\(mark)\(at)\($0)") }) { at += 1 }
        return "\(file)\(mark)\(at)"
    }

    /// Those of a user's file, the latest first.
    static func latest(of file: String) -> [PersonalDamage] { Array(all(of: file).prefix(toldMax)) }

    /// All of a user's file, the latest first.
    static func all(of file: String) -> [PersonalDamage] {
        let start = PrivateFile.name(of: file) + mark
        let damages = names(of: file).compactMap { name -> PersonalDamage? in
            // What SQLite puts beside one has no number behind the mark.
            guard let at = Int64(String(name.utf8.dropFirst(start.utf8.count)) ?? "") else { return nil }
            return PersonalDamage(file: "\(PrivateFile.directory(of: file))/\(name)", at: at)
        }
        return damages.sorted { $0.at > $1.at }
    }

    /// Removes them all, with what stands beside them; for good when this returns.
    ///
    /// - Returns: How many files that were.
    static func removeAll(of file: String) throws(StorageError) -> Int {
        let names = names(of: file)
        for name in names { try DatabaseFile.remove("\(PrivateFile.directory(of: file))/\(name)") }
        if !names.isEmpty { try DatabaseFile.synchronize(directoryOf: file) }
        return names.count
    }

    private static func names(of file: String) -> [String] {
        let start = PrivateFile.name(of: file) + mark
        let names = SystemCall.names(in: PrivateFile.directory(of: file)) ?? []
        return names.filter { $0.utf8.starts(with: start.utf8) }
    }
}

/// What is kept in memory of one user's data.
package struct PersonalOverview: Sendable {
    package let saved: SavedIDs
    package let damages: [PersonalDamage]
}
