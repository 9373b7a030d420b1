import Storage

extension SQLiteQuotaStore {
    /// The first two steps are those of the ledger that leased calls in blocks.
    static let schema = Schema(migrations: [
        """
        CREATE TABLE clocks (
            place INTEGER PRIMARY KEY,
            id INTEGER NOT NULL UNIQUE,
            boot TEXT NOT NULL,
            "offset" INTEGER NOT NULL,
            since INTEGER NOT NULL,
            seenAt INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE grants (
            account TEXT NOT NULL,
            quota TEXT NOT NULL,
            clock INTEGER NOT NULL,
            start INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            granted INTEGER NOT NULL CHECK (granted >= 0),
            PRIMARY KEY (account, quota, clock, start)
        ) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE TABLE leases (
            token INTEGER NOT NULL,
            slot INTEGER NOT NULL,
            boot TEXT NOT NULL,
            account TEXT NOT NULL,
            quota TEXT NOT NULL,
            clock INTEGER NOT NULL,
            start INTEGER NOT NULL,
            granted INTEGER NOT NULL,
            PRIMARY KEY (token, slot, clock, start)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE identity (id INTEGER NOT NULL) STRICT;
        INSERT INTO identity VALUES (random());
        """,
        """
        CREATE TABLE usage (
            owner TEXT NOT NULL,
            quota TEXT NOT NULL,
            start INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            user INTEGER NOT NULL,
            used INTEGER NOT NULL CHECK (used >= 0),
            calledAt INTEGER NOT NULL,
            PRIMARY KEY (owner, quota, start, user)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE damage (at INTEGER NOT NULL) STRICT;
        INSERT INTO usage SELECT account, quota, start, "end", -1, max(granted), 0 FROM grants
            GROUP BY account, quota, start;
        DROP TABLE leases;
        DROP TABLE identity;
        DROP TABLE grants;
        DROP TABLE clocks;
        """,
    ])
}
