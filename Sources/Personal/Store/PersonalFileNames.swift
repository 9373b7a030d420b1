import Storage

/// The names that one user's file has on its way: it never stands under its own before it is complete.
struct PersonalFileNames {
    /// Its own.
    let file: String

    /// While it is made.
    var new: String { "\(file).new" }
    /// Where one is copied that is damaged, while it is read.
    var copy: String { "\(file).copy" }
    /// Complete, with what was rescued, until the damaged one has been set aside.
    var rescued: String { "\(file).rescued" }

    /// Whether there is anything under its own name.
    var isThere: Bool { DatabaseFile.isThere(file) }

    /// Whether the user has a file, under its own name or soon.
    var isKept: Bool { isThere || DatabaseFile.isThere(rescued) }

    /// Ends what a process that was killed had begun.
    func tidy() throws(StorageError) {
        for name in [new, copy] { try DatabaseFile.remove(name) }
        guard DatabaseFile.isThere(rescued) else { return }
        // As long as the damaged file has its own name, the rescue starts again.
        if isThere { return try DatabaseFile.remove(rescued) }
        try replace(with: PersonalDamage.all(of: file).first?.file)
    }

    /// Renames the damaged file, and gives its name to the rescued one.
    ///
    /// - Parameter now: Seconds since 1970.
    /// - Returns: Where it is then.
    /// - Throws: When it can't be moved.
    func setAside(at now: Int64) throws(StorageError) -> String {
        let aside = PersonalDamage.freeName(of: file, at: now)
        // A log without its file: the empty file reports the damage.
        if isThere { try DatabaseFile.move(file, to: aside) } else { try DatabaseFile.touch(aside) }
        try replace(with: aside)
        return aside
    }

    /// Goes on when the damaged file has been moved, but its log not yet.
    private func replace(with aside: String?) throws(StorageError) {
        let log = "-wal"
        if let aside, DatabaseFile.isThere(file + log) { try DatabaseFile.move(file + log, to: aside + log) }
        try place(rescued)
    }

    /// Renames a complete file, which must not be open, to the user's own name, which must be free.
    func place(_ complete: String) throws(StorageError) {
        // What SQLite had put beside another file would be taken for this one's.
        try DatabaseFile.remove(file)
        try DatabaseFile.move(complete, to: file)
    }
}
