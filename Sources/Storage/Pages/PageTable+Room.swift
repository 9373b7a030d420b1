/// What pages take, and which are evicted.
extension PageTable {
    /// What the room that pages take is counted in.
    private static let stepBytes = 4096
    /// What a row takes beside its bytes: its other columns, two indices, half a block that is never quite full.
    private static let rowBytes = 1024
    /// The part of the bound that is free after making room: so that not every page makes room for itself.
    static let freedPart = 10
    private static let victimsAtOnce = 64

    /// How large the file may be for pages that may take so much: tables and indices are in it too.
    static func fileBytesMax(for bytesMax: Int) -> Int { bytesMax * 2 + 64 * blockBytes }

    /// What a page takes on disk.
    static func cost(of page: ArchivedPage) -> Int {
        let bytes = page.bytes.count + page.key.count + rowBytes
        return (bytes + stepBytes - 1) / stepBytes * stepBytes
    }

    /// Evicts the pages that were used longest ago, some more than needed.
    mutating func makeRoom(for cost: Int) throws(StorageError) {
        guard bytes + cost > bytesMax else { return }
        let kept = min(bytesMax - bytesMax / Self.freedPart, bytesMax - cost)
        while bytes > kept, entries > 0 {
            let victims = try victims()
            guard !victims.isEmpty else { return try count() }
            for victim in victims where bytes > kept {
                try remove(victim)
                evictions += 1
            }
        }
    }

    private func victims() throws(StorageError) -> [StoredRow] {
        var victims: [StoredRow] = []
        // The index has all the columns, so no page is read.
        try database.run(
            "SELECT id, number, cost FROM pages ORDER BY usedAt LIMIT ?",
            .integer(Self.victimsAtOnce)
        ) { row throws(StorageError) in victims.append(StoredRow(row)) }
        return victims
    }

    mutating func remove(_ stored: StoredRow) throws(StorageError) {
        try database.run("DELETE FROM pages WHERE id = ?", .integer(stored.id))
        try database.run("DELETE FROM contents WHERE id = ?", .integer(stored.id))
        forget(stored)
    }

    /// When the file is full although it should not be, since another process has its share of it, some pages make room
    /// for the next ones.
    ///
    /// When the disk itself is full, nothing is removed.
    mutating func shrinkIfLarge() throws(StorageError) {
        let blocks = try database.first("PRAGMA page_count") { $0.integer(0) } ?? 0
        let blocksMax = try database.first("PRAGMA max_page_count") { $0.integer(0) } ?? 0
        guard blocks > blocksMax / 2 else { return }
        try count()
        try commitRoom(for: bytesMax - bytes + bytesMax / Self.freedPart)
    }

    /// Gives the file its bound, so that not even a miscount makes it grow past it.
    func limitFile(to bytesMax: Int) throws(StorageError) {
        // A file that is there keeps the blocks it was made with.
        let blockBytes = try database.first("PRAGMA page_size") { Int($0.integer(0)) } ?? Self.blockBytes
        let blocksMax = Int64(max(bytesMax, blockBytes) / blockBytes)
        let blocks = try database.first("PRAGMA page_count") { $0.integer(0) } ?? 0
        // It comes from a time of a larger bound.
        if blocks > blocksMax { try database.script("VACUUM") }
        try database.script("PRAGMA max_page_count = \(blocksMax)")
    }
}
