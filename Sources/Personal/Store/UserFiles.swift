import EventLoop
import JSON
package import SearchModel
import Storage

/// The files of one user: the current file, its copies, and damaged files under another name.
struct UserFiles: Sendable {
    private static let copySuffixes = [".copy-1", ".copy-2"]
    private static let damagedMark = ".damaged-"

    let file: String

    init(of userID: UInt32, in directory: String) {
        file = "\(directory)/\(userID).sqlite"
    }

    /// A complete replacement for `file` that does not have the name of `file` yet.
    var new: String { "\(file).new" }
    /// A new user's file until it is complete.
    var unfinished: String { "\(file).unfinished" }
    /// A copy until it is verified.
    var unfinishedCopy: String { "\(file).copy-new" }

    /// Also true if this cannot be determined; the next use then fails with the reason.
    var exist: Bool { PrivateFile.mayBeThere(file) || PrivateFile.mayBeThere(new) }

    /// Finishes or undoes a replacement that an earlier process began.
    func tidy() throws(StorageError) {
        guard PrivateFile.isThere(new) else { return }
        if PrivateFile.isThere(file) { try PrivateFile.remove(new) } else { try place(new) }
    }

    func place(_ path: String) throws(StorageError) {
        // The log of the old file is removed, too. Otherwise SQLite would apply it to the new file.
        try PrivateFile.remove(file)
        try PrivateFile.move(path, to: file)
    }

    func copies() -> [PersonalCopy] {
        let copies = Self.copySuffixes.compactMap { suffix -> PersonalCopy? in
            let path = file + suffix
            guard let at = PrivateFile.changedAt(path), let bytes = PrivateFile.size(of: path) else { return nil }
            return PersonalCopy(file: path, at: at, bytes: bytes, items: 0)
        }
        // The sort is stable: of two copies with the same time, `placeCopy` gave the first name to the newer one.
        return copies.sorted { $0.at > $1.at }
    }

    func placeCopy() throws(StorageError) {
        let paths = Self.copySuffixes.map { file + $0 }
        if PrivateFile.isThere(paths[0]) { try PrivateFile.move(paths[0], to: paths[1]) }
        try PrivateFile.move(unfinishedCopy, to: paths[0])
    }

    func setAside(as path: String) throws(StorageError) {
        try PrivateFile.move(file, to: path)
        if PrivateFile.isThere(file + "-wal") { try PrivateFile.move(file + "-wal", to: path + "-wal") }
    }

    func freeName(at seconds: Int64) -> String {
        var at = seconds
        while PrivateFile.isThere("\(file)\(Self.damagedMark)\(at)") { at += 1 }
        return "\(file)\(Self.damagedMark)\(at)"
    }

    /// Returns when the removal is durable.
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

/// A backup copy of a user's file.
package struct PersonalCopy: Equatable, Sendable {
    package let file: String
    package let at: Int64
    package let bytes: Int
    package internal(set) var items: Int
}

/// A record of damage to a user's data, after which rows may be missing.
package struct PersonalLoss: Equatable, Sendable {
    /// In seconds since 1970.
    package let at: Int64
    /// The new path of the damaged file, or nil if only rows were damaged.
    package let file: String?
    /// The time of the oldest copy that was used.
    package internal(set) var copyAt: Int64?
    /// Rows from a copy, which may lack their latest change.
    package internal(set) var restored = 0
    package internal(set) var lost = 0

    var isEmpty: Bool { restored + lost == 0 }
}

/// Whether a user's data is usable and complete, and which backup copies exist.
package struct PersonalCondition: Equatable, Sendable {
    /// The seconds for which lost rows are reported; a damaged file is reported as long as it exists.
    private static let reportedFor: Int64 = 30 * 86_400

    package private(set) var losses: [PersonalLoss] = []
    package private(set) var copies: [PersonalCopy] = []
    /// Nil if the file can be read and the latest changes were written.
    package internal(set) var failure: SearchError?
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
        freeBytes = PrivateFile.freeBytes(in: PrivateFile.directory(of: files.file))
    }
}
