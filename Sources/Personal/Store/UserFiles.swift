import EventLoop
import JSON
import Storage

/// The files of one user: the one in use, its copies, and damaged ones that were set aside.
struct UserFiles: Sendable {
    private static let copySuffixes = [".copy-1", ".copy-2"]
    private static let damagedMark = ".damaged-"

    /// The file in use.
    let file: String

    init(of userID: UInt32, in directory: String) {
        file = "\(directory)/\(userID).sqlite"
    }

    /// A complete file that takes the place of a damaged one, which has been set aside.
    var new: String { "\(file).new" }
    /// The first file before it is complete.
    var unfinished: String { "\(file).unfinished" }
    /// A copy before it is verified.
    var unfinishedCopy: String { "\(file).copy-new" }

    /// Whether the user has data.
    var exist: Bool { PrivateFile.isThere(file) || PrivateFile.isThere(new) }

    /// Completes a replacement that a crash interrupted: the file in use was set aside, and the new one is complete.
    func tidy() throws(StorageError) {
        guard PrivateFile.isThere(new) else { return }
        if PrivateFile.isThere(file) { try PrivateFile.remove(new) } else { try place(new) }
    }

    /// Puts a complete file in use; there must not be one in use.
    func place(_ path: String) throws(StorageError) {
        // SQLite would take another file's log for this one's.
        try PrivateFile.remove(file)
        try PrivateFile.move(path, to: file)
    }

    // MARK: Copies

    /// The copies, the newest first.
    func copies() -> [PersonalCopy] {
        let copies = Self.copySuffixes.compactMap { suffix -> PersonalCopy? in
            let path = file + suffix
            guard let at = PrivateFile.changedAt(path), let bytes = PrivateFile.size(of: path) else { return nil }
            return PersonalCopy(file: path, at: at, bytes: bytes, items: 0)
        }
        return copies.sorted { $0.at > $1.at }
    }

    /// Puts a verified copy in the place of the older one.
    func placeCopy() throws(StorageError) {
        let known = copies()
        let free = Self.copySuffixes.map { file + $0 }.first { path in !known.contains { $0.file == path } }
        try PrivateFile.move(unfinishedCopy, to: free ?? known.last?.file ?? file + Self.copySuffixes[0])
    }

    // MARK: Damage

    /// The files that were set aside, and when.
    func damaged() -> [(file: String, at: Int64)] {
        let mark = PrivateFile.name(of: file) + Self.damagedMark
        return names(mark).compactMap { name in
            // SQLite's own files for it have no number there.
            Int64(String(name.utf8.dropFirst(mark.utf8.count)) ?? "").map { (path(name), $0) }
        }
    }

    /// Sets the file in use aside, with its log, under a name that `freeName` gave.
    func setAside(as path: String) throws(StorageError) {
        try PrivateFile.move(file, to: path)
        if PrivateFile.isThere(file + "-wal") { try PrivateFile.move(file + "-wal", to: path + "-wal") }
    }

    /// A name for a damaged file that no other has.
    func freeName(at seconds: Int64) -> String {
        var at = seconds
        while PrivateFile.isThere("\(file)\(Self.damagedMark)\(at)") { at += 1 }
        return "\(file)\(Self.damagedMark)\(at)"
    }

    /// Removes all files but the one in use; for good when this returns.
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
    /// When it was made, in seconds since 1970.
    package let at: Int64
    package let bytes: Int
    /// How many saved items it has.
    package internal(set) var items: Int
}

/// Damage to a user's data; something may be missing since.
package struct PersonalLoss: Equatable, Sendable {
    /// When it was found, in seconds since 1970.
    package let at: Int64
    /// The file that was set aside; nil when single rows were damaged.
    package let file: String?
    /// When the copy was made that took its place; nil without a copy.
    package internal(set) var copyAt: Int64?
    /// Rows taken from a copy, perhaps as they were before their latest change.
    package internal(set) var restored = 0
    /// Rows that no copy had.
    package internal(set) var lost = 0
}

/// The state of one user's files.
package struct PersonalCondition: Equatable, Sendable {
    /// Damage to single rows is reported for so many seconds; a damaged file as long as it is kept.
    private static let reportedFor: Int64 = 30 * 86_400

    /// The latest first.
    package private(set) var losses: [PersonalLoss] = []
    /// The newest first.
    package private(set) var copies: [PersonalCopy] = []
    /// Where the data is, or would be, and the bytes left there.
    package private(set) var file = ""
    package private(set) var freeBytes: Int?

    package init() {}

    init(_ files: UserFiles, _ known: [PersonalLoss], _ copies: [PersonalCopy], now: Int64) {
        losses = files.damaged().map { file, at in
            known.first { $0.file?.hasSameBytes(as: file) == true } ?? PersonalLoss(at: at, file: file)
        }
        losses += known.filter { $0.file == nil && $0.at + Self.reportedFor > now }
        losses.sort { $0.at > $1.at }
        self.copies = copies
        file = files.file
        // The directory is made with the first file.
        freeBytes = PrivateFile.freeBytes(in: PrivateFile.directory(of: files.file))
    }
}
