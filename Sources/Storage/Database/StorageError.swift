import CSQLite

/// An error of Storage or SQLite; its texts never contain stored values, which could be private.
package struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code, or a negative code of this module.
    package struct Code: Hashable, RawRepresentable, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        package static let newerSchema = Code(rawValue: -1)
        /// A directory or file can't be created or opened, or other users could change the directory.
        package static let directory = Code(rawValue: -2)
        package static let closed = Code(rawValue: -3)
        /// The file is a link, a directory, hard-linked, or owned by another user.
        package static let unsafeFile = Code(rawValue: -4)
        package static let inUse = Code(rawValue: -5)
        package static let cancelled = Code(rawValue: -6)
        package static let damagedRow = Code(rawValue: -7)
        package static let olderSchema = Code(rawValue: -8)
        package static let notCopied = Code(rawValue: -9)
        package static let empty = Code(rawValue: SQLITE_CORRUPT | 0x100 << 8)

        var primary: Int32 { rawValue < 0 ? rawValue : rawValue & 0xFF }

        package var isCorrupt: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
        /// The file has other tables than expected, or its tables reject valid data.
        package var isForeign: Bool { primary == SQLITE_ERROR || primary == SQLITE_CONSTRAINT }
    }

    package let code: Code
    /// The name of the file without its directory; for `damagedRow`, the whole path.
    package let file: String
    package let message: String
    package let hint: String

    package init(_ code: Code, file: String, message: String, hint: String) {
        (self.code, self.file, self.message, self.hint) = (code, file, message, hint)
    }

    init(result: Int32, file: String) {
        let code = result & 0xFF == SQLITE_INTERRUPT ? .cancelled : Code(rawValue: result)
        // The text is static memory of the library.
        let text = unsafe sqlite3_errstr(result).map { unsafe String(cString: $0) } ?? "unknown"
        self.init(code, file: file, message: "\(text) (\(result))", hint: Self.hint(for: code))
    }

    package static func damagedRow(_ path: String) -> StorageError {
        let hint = "Restore the file from a backup, or export the library and import it again."
        return StorageError(.damagedRow, file: path, message: "\(path) has a damaged row", hint: hint)
    }

    package var description: String { "\(file): \(message)" }

    package static func == (left: StorageError, right: StorageError) -> Bool {
        left.code == right.code
    }

    private static func hint(for code: Code) -> String {
        switch code.primary {
        case SQLITE_BUSY, SQLITE_LOCKED: "Another program has locked the file. End that program, or try again."
        case SQLITE_CORRUPT, SQLITE_NOTADB: "Restore the file from a backup, or move it away."
        case SQLITE_FULL: "Make room on the disk."
        case SQLITE_PERM, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_AUTH:
            "Make the file and its directory readable and writable for the user of the daemon."
        case Code.cancelled.rawValue: "Try again."
        case SQLITE_IOERR: "Look for disk errors in the system log."
        default: "Report this error with the version of SQLite."
        }
    }
}
