import EventLoop
import JSON
package import SearchModel
import Storage

/// The files of one user: the current file, its copies, and damaged files, which are kept under another name.
struct UserFiles: Sendable {
    private static let copySuffixes = [".copy-1", ".copy-2"]
    private static let damagedMark = ".damaged-"

    /// The current file.
    let file: String

    init(of userID: UInt32, in directory: String) {
        file = "\(directory)/\(userID).sqlite"
    }

    /// A complete replacement for a damaged file, before it gets the name of the current file.
    var new: String { "\(file).new" }
    /// The first file, before it is complete.
    var unfinished: String { "\(file).unfinished" }
    /// A copy before it is verified.
    var unfinishedCopy: String { "\(file).copy-new" }

    /// Whether the user has data.
    var exist: Bool { PrivateFile.isThere(file) || PrivateFile.isThere(new) }

    /// Completes the replacement of the current file if the process ended during it.
    func tidy() throws(StorageError) {
        guard PrivateFile.isThere(new) else { return }
        if PrivateFile.isThere(file) { try PrivateFile.remove(new) } else { try place(new) }
    }

    /// Gives a complete file the name of the current file; removes the current file and its log, if they exist.
    func place(_ path: String) throws(StorageError) {
        // SQLite would use the log of the other file for this file.
        try PrivateFile.remove(file)
        try PrivateFile.move(path, to: file)
    }

    // MARK: Copies

    /// Returns the copies, the newest first.
    func copies() -> [PersonalCopy] {
        let copies = Self.copySuffixes.compactMap { suffix -> PersonalCopy? in
            let path = file + suffix
            guard let at = PrivateFile.changedAt(path), let bytes = PrivateFile.size(of: path) else { return nil }
            return PersonalCopy(file: path, at: at, bytes: bytes, items: 0)
        }
        return copies.sorted { $0.at > $1.at }
    }

    /// Replaces the older copy with a verified one.
    func placeCopy() throws(StorageError) {
        let known = copies()
        let free = Self.copySuffixes.map { file + $0 }.first { path in !known.contains { $0.file == path } }
        try PrivateFile.move(unfinishedCopy, to: free ?? known.last?.file ?? file + Self.copySuffixes[0])
    }

    // MARK: Damage

    /// Renames the current file and its log to a name from `freeName`.
    func setAside(as path: String) throws(StorageError) {
        try PrivateFile.move(file, to: path)
        if PrivateFile.isThere(file + "-wal") { try PrivateFile.move(file + "-wal", to: path + "-wal") }
    }

    /// Returns an unused name for a damaged file.
    func freeName(at seconds: Int64) -> String {
        var at = seconds
        while PrivateFile.isThere("\(file)\(Self.damagedMark)\(at)") { at += 1 }
        return "\(file)\(Self.damagedMark)\(at)"
    }

    /// Removes all files except the current one; when this returns, the removal is durable.
    func removeOthers() throws(StorageError) {
        let others = [".copy-", Self.damagedMark, ".unfinished"].flatMap { names(PrivateFile.name(of: file) + $0) }
        for name in others { try PrivateFile.remove(path(name)) }
        if !others.isEmpty { try PrivateFile.synchronize(directoryOf: file) }
    }

    private func path(_ name: String) -> String { "\(PrivateFile.directory(of: file))/\(name)" }

    private func names(_ start: String) -> [String] {
        let names = SystemCall.names(in: PrivateFile.directory(of: file)) ?? []
        return names.filter { $0.utf8.starts(with: start.utf8) }
    }
}

/// A verified copy of a user's file.
package struct PersonalCopy: Equatable, Sendable {
    package let file: String
    /// When the copy was made, in seconds since 1970.
    package let at: Int64
    package let bytes: Int
    /// The number of saved items in it.
    package internal(set) var items: Int
}

/// A record of damage to a user's data; rows may be missing since then.
package struct PersonalLoss: Equatable, Sendable {
    /// When the damage was found, in seconds since 1970.
    package let at: Int64
    /// The new name of the damaged file; nil if only single rows were damaged.
    package let file: String?
    /// When the copy was made from which data was restored; nil without a copy.
    package internal(set) var copyAt: Int64?
    /// The number of rows restored from a copy, perhaps without their latest change.
    package internal(set) var restored = 0
    /// The number of rows that no copy had.
    package internal(set) var lost = 0

    /// Whether no row was damaged.
    var isEmpty: Bool { restored + lost == 0 }
}

/// The state of one user's files.
package struct PersonalCondition: Equatable, Sendable {
    /// How many seconds damage to single rows is reported; a damaged file is reported while it exists.
    private static let reportedFor: Int64 = 30 * 86_400

    /// The records of damage, the latest first.
    package private(set) var losses: [PersonalLoss] = []
    /// The copies, the newest first.
    package private(set) var copies: [PersonalCopy] = []
    /// Why the latest changes could not be written.
    package internal(set) var writeFailure: SearchError?
    /// The path of the file (even if it does not exist yet), and the free bytes in its directory.
    package private(set) var file = ""
    package private(set) var freeBytes: Int?

    package init() {}

    init(_ files: UserFiles, _ known: [PersonalLoss], _ copies: [PersonalCopy], now: Int64) {
        losses = known.filter { loss in
            loss.file.map { PrivateFile.isThere($0) } ?? (loss.at + Self.reportedFor > now)
        }
        losses.sort { $0.at > $1.at }
        self.copies = copies
        file = files.file
        // The directory is created with the first file.
        freeBytes = PrivateFile.freeBytes(in: PrivateFile.directory(of: files.file))
    }
}
