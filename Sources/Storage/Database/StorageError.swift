import CSQLite

/// Why something could not be stored or found.
///
/// Neither text ever contains a value that was bound to a statement.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code, or a negative one of this room.
    ///
    /// An open set: a newer SQLite has more.
    package struct Code: Hashable, RawRepresentable, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        /// The file was written by a newer program.
        package static let newerSchema = Code(rawValue: -1)
        /// The directory can't be made, or is not safe.
        package static let directory = Code(rawValue: -2)
        /// There is a link, or another user's file, under the file's name.
        package static let unsafeFile = Code(rawValue: -4)
        /// It has been closed.
        package static let closed = Code(rawValue: -3)
        /// Another process works in the directory.
        package static let inUse = Code(rawValue: -5)

        /// SQLITE_READONLY_DBMOVED, which is no plain number in SQLite's header.
        private static let movedValue = SQLITE_READONLY | 4 << 8

        /// The code without its extension.
        var primary: Int32 { rawValue < 0 ? rawValue : rawValue & 0xFF }

        /// Another process held the lock longer than we wait.
        package var isBusy: Bool { primary == SQLITE_BUSY }
        /// What stands in the file is no database of ours.
        package var isCorrupt: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
        /// The file has not the tables that it should have: the statements themselves are right.
        package var isForeign: Bool { primary == SQLITE_ERROR }
        /// What stands in the file contradicts itself: no statement of ours breaks a rule of its tables.
        var isContradictory: Bool { primary == SQLITE_CONSTRAINT }
        /// The file can't be opened, or not be written to.
        package var isUnusable: Bool {
            self == .unsafeFile || primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY || primary == SQLITE_PERM
        }
        /// The file that is open is no longer the one of its name, which may be another one's by now.
        var isMoved: Bool { rawValue == Self.movedValue }
        /// The disk, or the bound on the file, is full.
        package var isFull: Bool { primary == SQLITE_FULL }
    }

    package let code: Code
    /// The file's name without its directory.
    package let file: String
    package let message: String
    /// One sentence on what the administrator can do.
    package let hint: String

    package init(_ code: Code, file: String, message: String, hint: String) {
        self.code = code
        self.file = file
        self.message = message
        self.hint = hint
    }

    /// What SQLite's result code means.
    init(result: Int32, file: String) {
        let code = Code(rawValue: result)
        // The text belongs to the library and is never freed.
        let text = unsafe sqlite3_errstr(result).map { unsafe String(cString: $0) } ?? "unknown"
        self.init(code, file: file, message: "\(text) (\(result))", hint: Self.hint(for: code))
    }

    package var description: String { "\(file): \(message)" }

    /// Errors are the same when the program would do the same about them.
    package static func == (left: StorageError, right: StorageError) -> Bool {
        left.code == right.code
    }

    private static func hint(for code: Code) -> String {
        switch code.primary {
        case SQLITE_BUSY, SQLITE_LOCKED: "Another process works on the file; end it, or try again."
        case SQLITE_CORRUPT, SQLITE_NOTADB: "Move the file away, or bring it back from a backup."
        case SQLITE_FULL: "Make room on the disk."
        case SQLITE_PERM, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_AUTH:
            "Check who owns the file and its directory, and that they may be written."
        case SQLITE_IOERR: "Look for errors of the disk in the system's log."
        default: "Report it with the version of SQLite."
        }
    }
}
