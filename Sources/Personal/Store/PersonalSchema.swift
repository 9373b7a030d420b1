import Storage

/// The tables of one user's file.
enum PersonalSchema {
    static let schema = Schema(migrations: [library, refreshes, history, seen, backlog])

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

    private static let seen = SeenTable.created.map { "\($0);" }.joined(separator: "\n")
    private static let history = ([HistoryTable.created] + HistoryTable.indexed).map { "\($0);" }.joined(
        separator: "\n"
    )

    /// Items that are to be looked up again.
    private static let refreshes = """
        CREATE TABLE refreshes (
            number INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
            source TEXT NOT NULL
        ) STRICT;
        CREATE INDEX refreshesBySource ON refreshes (source, number);
        """

    /// Items with higher numbers are not in the index of words.
    private static let backlog = """
        ALTER TABLE state ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
        UPDATE state SET indexed = (SELECT ifnull(max(number), 0) FROM items);
        """
}
