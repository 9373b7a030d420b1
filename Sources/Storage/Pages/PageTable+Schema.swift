extension PageTable {
    static let schema = Schema(migrations: [
        """
        CREATE TABLE pages (
            id INTEGER PRIMARY KEY,
            key BLOB NOT NULL UNIQUE,
            source TEXT NOT NULL,
            query TEXT NOT NULL,
            fetchedAt INTEGER NOT NULL,
            freshUntil INTEGER NOT NULL,
            usedAt INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE INDEX pagesByUse ON pages (usedAt, cost);
        CREATE INDEX pagesByQuery ON pages (query, source);
        """,
        // What a page holds lies apart from what changes with every use of it.
        """
        CREATE TABLE contents (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
        INSERT INTO contents SELECT id, bytes FROM pages;
        ALTER TABLE pages DROP COLUMN bytes;
        ALTER TABLE pages ADD COLUMN content INTEGER NOT NULL DEFAULT 0;
        CREATE TRIGGER contentsGoWithPages AFTER DELETE ON pages
        BEGIN DELETE FROM contents WHERE id = old.id; END;
        """,
        // Each page changes a block of every index that has not the order of time: one is left, of numbers. A content
        // says whose it is: what a loss of power has mixed up is not taken for another page. What older programs kept
        // is let go.
        """
        DROP TABLE pages;
        DROP TABLE contents;
        CREATE TABLE pages (
            id INTEGER PRIMARY KEY,
            number INTEGER NOT NULL UNIQUE,
            key BLOB NOT NULL,
            source TEXT NOT NULL,
            query TEXT NOT NULL,
            fetchedAt INTEGER NOT NULL,
            freshUntil INTEGER NOT NULL,
            usedAt INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            content INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX pagesByUse ON pages (usedAt, cost, number);
        CREATE TABLE contents (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
        """,
    ])
}
