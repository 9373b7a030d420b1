import EventLoop
import Storage

/// The statements that create and migrate the tables of one user's file.
enum PersonalSchema {
    static let schema = Schema(migrations: [library, refreshes, history, seen, indexed, sums, tokens, searches])

    private static let library = """
        CREATE TABLE items (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            insertedBy INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            kind TEXT NOT NULL,
            source TEXT NOT NULL,
            genre TEXT NOT NULL,
            savedAt INTEGER NOT NULL,
            published INTEGER,
            rating INTEGER,
            title BLOB NOT NULL,
            item BLOB NOT NULL
        ) STRICT;
        CREATE INDEX itemsByRevision ON items (revision);
        CREATE INDEX itemsBySaving ON items (savedAt, number);
        CREATE TABLE tags (
            number INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
            tag TEXT NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (number, tag)
        ) STRICT, WITHOUT ROWID;
        CREATE VIRTUAL TABLE words
            USING fts5(tokens, content = '', detail = 'none', tokenize = "ascii tokenchars '_='");
        CREATE TABLE removed (
            id TEXT PRIMARY KEY,
            revision INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX removedByRevision ON removed (revision);
        CREATE TABLE state (
            revision INTEGER NOT NULL,
            forgotten INTEGER NOT NULL
        ) STRICT;
        INSERT INTO state VALUES (0, 0);
        """

    private static let refreshes = """
        CREATE TABLE refreshes (
            number INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
            source TEXT NOT NULL
        ) STRICT;
        CREATE INDEX refreshesBySource ON refreshes (source, number);
        """

    private static let history = """
        CREATE TABLE history (
            number INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            count INTEGER NOT NULL,
            query TEXT NOT NULL,
            sources TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX historyByQuery ON history (query);
        CREATE INDEX historyByTime ON history (at);
        """

    private static let seen = """
        CREATE TABLE seen (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            at INTEGER NOT NULL,
            fetchedAt INTEGER NOT NULL,
            kind TEXT NOT NULL,
            hit BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX seenByID ON seen (id);
        CREATE INDEX seenByTime ON seen (at);
        CREATE TABLE seenBy (
            number INTEGER NOT NULL,
            query INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (number, query)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX seenByQuery ON seenBy (query);
        CREATE VIRTUAL TABLE seenWords
            USING fts5(tokens, content = '', detail = 'none', tokenize = "ascii tokenchars '_='");
        """

    private static let indexed = """
        ALTER TABLE state ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
        UPDATE state SET indexed = (SELECT ifnull(max(number), 0) FROM items);
        """

    private static let sums = """
        ALTER TABLE items ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
        UPDATE items SET sum = checksum(
            id, insertedBy, revision, kind, source, genre, savedAt, published, rating, title, item);
        ALTER TABLE history ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
        UPDATE history SET sum = checksum(query, at, count, sources);
        ALTER TABLE seen ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
        UPDATE seen SET sum = checksum(id, at, fetchedAt, kind, hit);
        CREATE TABLE losses (
            at INTEGER NOT NULL,
            file TEXT,
            copyAt INTEGER,
            restored INTEGER NOT NULL,
            lost INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE lostRows (at INTEGER NOT NULL, "table" TEXT NOT NULL, content ANY) STRICT;
        """

    /// After this migration, the full-text indexes must be rebuilt.
    private static let tokens = """
        DROP TABLE lostRows;
        ALTER TABLE state DROP COLUMN indexed;
        """

    /// Allows history entries with the same query and different sources.
    private static let searches = """
        DROP INDEX historyByQuery;
        CREATE UNIQUE INDEX historyByQuery ON history (query, sources);
        """
}

/// A table with a checksum in each row; its temporary view verifies the checksums.
enum CheckedTable: String, CaseIterable {
    case items
    case history
    case seen

    /// In the order of the checksum's arguments.
    var columns: String {
        switch self {
        case .items: "id, insertedBy, revision, kind, source, genre, savedAt, published, rating, title, item"
        case .history: "query, at, count, sources"
        case .seen: "id, at, fetchedAt, kind, hit"
        }
    }

    var view: String { "checked\(rawValue)" }

    var damagedRows: String { "SELECT number FROM \(view) WHERE NOT isIntact" }

    /// Restores damaged rows that are intact in the attached database `copy`.
    var restoration: String {
        """
        INSERT OR REPLACE INTO main.\(rawValue) (number, \(columns), sum)
        SELECT number, \(columns), sum FROM copy.\(rawValue)
        WHERE number IN (\(damagedRows)) AND sum = checksum(\(columns))
        """
    }

    fileprivate var definition: String {
        "CREATE TEMP VIEW IF NOT EXISTS \(view) AS "
            + "SELECT *, sum = checksum(\(columns)) AS isIntact FROM main.\(rawValue)"
    }
}

/// The tables of one user's open file.
struct PersonalTables {
    let database: Database
    let library: LibraryTable
    let history: HistoryTable
    let seen: SeenTable

    init(_ database: Database) throws(StorageError) {
        self.database = database
        guard try database.isCurrent(PersonalSchema.schema) else { throw Self.older(database.path) }
        for table in CheckedTable.allCases { try database.script(table.definition) }
        (library, history, seen) = (
            LibraryTable(database: database), HistoryTable(database: database), SeenTable(database: database)
        )
    }

    private static func older(_ path: String) -> StorageError {
        StorageError(
            .olderSchema,
            file: PrivateFile.name(of: path),
            message: "\(path) was written by an older searchd and cannot be updated in its directory",
            hint: "Make its directory writable."
        )
    }

    /// Creates or migrates a file; does not rebuild the full-text indexes.
    static func complete(
        _ path: String,
        on executor: any SerialExecutor,
        _ body: (PersonalTables) throws(StorageError) -> Void
    ) throws(StorageError) {
        let database = try Database(path, schema: PersonalSchema.schema, journal: .log, on: executor)
        try body(PersonalTables(database))
        try database.emptyLog()
    }

    func rebuildIndexes() throws(StorageError) {
        try database.transaction { () throws(StorageError) in
            try library.rebuildIndex()
            try seen.rebuildIndex()
        }
    }

    func record(_ loss: PersonalLoss, after known: Int64) throws(StorageError) {
        try library.leap(after: known)
        try database.run(
            "INSERT INTO losses VALUES (?, ?, ?, ?, ?)",
            .integer(loss.at),
            loss.file.map { .text($0) } ?? .null,
            loss.copyAt.map { .integer($0) } ?? .null,
            .integer(loss.restored),
            .integer(loss.lost)
        )
    }

    func losses() throws(StorageError) -> [PersonalLoss] {
        try database.all("SELECT at, file, copyAt, restored, lost FROM losses") { row in
            PersonalLoss(
                at: row.integer(0),
                file: row.isNull(1) ? nil : row.text(1),
                copyAt: row.isNull(2) ? nil : row.integer(2),
                restored: Int(row.integer(3)),
                lost: Int(row.integer(4))
            )
        }
    }
}
