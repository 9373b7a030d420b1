import EventLoop
import JSON
import RPC
import SearchModel

/// One import: reads the file, and saves what it has.
///
/// What is on its way when the connection ends is asked for again on the next: saving twice is saving once.
struct ImportRun {
    private static let chunkBytesMax = 1 << 20
    /// More than any library has.
    private static let fileBytesMax = 1 << 30

    private let input: Int32
    private let interrupt: Int32?
    private var hasRead = false
    /// What was read and is in no batch yet.
    private var waiting: ArraySlice<ImportRecord> = []
    /// The batches to be asked for, the first one last.
    private var batches: [ImportBatch] = []
    private(set) var tally = ImportTally()

    /// - Parameters:
    ///   - input: Where the file is read.
    ///   - interrupt: Becomes readable at Ctrl-C.
    init(input: Int32, interrupt: Int32?) {
        self.input = input
        self.interrupt = interrupt
    }

    /// Saves all items; `progress` shows how many so far.
    mutating func run(_ exchange: inout DaemonConnection, _ progress: ProgressLine) throws(ClientError) {
        if !hasRead { waiting = try ImportFormat.records(of: try file())[...] }
        hasRead = true
        while let batch = next() {
            do throws(ClientError) {
                let params = JSONWriter.bytes { writer in
                    writer.array(.items) { writer in for item in batch.items { writer.raw(item.json) } }
                }
                let result = try exchange.ask(.librarySave, params: params, within: LibraryCall.timeoutSeconds)
                batches.removeLast()
                tally.took(batch.items.count, added: result[.added]?.int ?? 0)
            } catch  where error.code == .init(.invalidParams) {
                // All of a batch is saved or nothing: what is wrong is found by halves.
                batches.removeLast()
                if batch.items.count == 1 {
                    tally.leave(line: batch.items[0].line, Self.reason(error))
                } else {
                    batches += batch.halves.reversed()
                }
            }
            progress.show("\(FigureText.count(tally.taken, "item")) so far…")
        }
        progress.clear()
    }

    /// What is wrong with the only item of a request, said of its member: `notes[0].rating: …`.
    private static func reason(_ error: ClientError) -> String {
        guard let path = error.path, path.hasPrefix("params.items[0].") else { return error.message }
        let isNamed = error.message.hasPrefix("\(path): ")
        let message = isNamed ? String(error.message.dropFirst(path.count + 2)) : error.message
        return OptionWords.sentence(message, about: String(path.dropFirst("params.items[0].".count)))
    }

    /// The batch to be asked for; nil at the end.
    private mutating func next() -> ImportBatch? {
        if let batch = batches.last { return batch }
        var batch = ImportBatch()
        fill: while let record = waiting.first {
            switch record.outcome {
            case .left(let reason): tally.leave(line: record.line, reason)
            case .item(let json):
                let item = ImportBatch.Item(line: record.line, json: json)
                if ImportBatch.isTooLarge(item) {
                    tally.leave(line: record.line, "it is larger than 1 MiB")
                } else if !batch.add(item) {
                    break fill
                }
            }
            waiting.removeFirst()
        }
        guard !batch.isEmpty else { return nil }
        batches.append(batch)
        return batch
    }

    /// All of the file.
    private func file() throws(ClientError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            if try Transfers.wait(for: input, interrupt)[1] { throw ClientError(.interrupted, "interrupted") }
            guard let more = try Transfers.read(input, bytesMax: Self.chunkBytesMax) else { continue }
            if more.isEmpty { return bytes }
            bytes += more
            guard bytes.count <= Self.fileBytesMax else {
                throw ClientError(.usage, "the file is larger than 1 GiB", hint: "Import it in parts.")
            }
        }
    }
}

/// Items on their way into the library, as many as one request takes; pure.
struct ImportBatch {
    /// A line of the wire may be as long as this, with what stands around the items.
    static let bytesMax = 1 << 20 - envelopeBytesMax
    private static let envelopeBytesMax = 4096
    static let itemsMax = WireBounds.libraryItemsMax

    struct Item {
        let line: Int
        let json: [UInt8]
    }

    private(set) var items: [Item] = []
    private var bytes = 0

    init(_ items: [Item] = []) {
        self.items = items
        bytes = items.reduce(0) { $0 + $1.json.count + 1 }
    }

    var isEmpty: Bool { items.isEmpty }

    /// Whether an item can't be taken by any batch.
    static func isTooLarge(_ item: Item) -> Bool { item.json.count + 1 > bytesMax }

    /// Adds an item; false when there is no room for it.
    mutating func add(_ item: Item) -> Bool {
        guard items.count < Self.itemsMax, bytes + item.json.count + 1 <= Self.bytesMax else { return false }
        items.append(item)
        bytes += item.json.count + 1
        return true
    }

    /// The two halves of a batch of several.
    var halves: [ImportBatch] {
        let middle = items.count / 2
        return [ImportBatch(Array(items[..<middle])), ImportBatch(Array(items[middle...]))]
    }
}

/// What an import has come to; pure.
struct ImportTally {
    /// So many of the items that were left out are named.
    static let namedMax = 20

    private(set) var added = 0
    private(set) var known = 0
    private(set) var left = 0
    /// The first of those left out, in the order of their lines.
    private(set) var named: [(line: Int, reason: String)] = []

    var taken: Int { added + known }

    mutating func took(_ count: Int, added: Int) {
        self.added += added
        known += count - added
    }

    mutating func leave(line: Int, _ reason: String) {
        left += 1
        // What the daemon refuses comes later than what could not be read behind it.
        named.insert((line, reason), at: named.firstIndex { $0.line > line } ?? named.count)
        if named.count > Self.namedMax { named.removeLast() }
    }

    /// `3 items imported, 1 of them saved before; 2 left out`.
    func summary(_ verb: String) -> String {
        let before =
            switch known {
            case 0: ""
            case taken: taken == 1 ? ", which was saved before" : ", all of them saved before"
            default: ", \(FigureText.grouped(known)) of them saved before"
            }
        let rest = left == 0 ? "" : "; \(FigureText.grouped(left)) left out"
        return "\(FigureText.count(taken, "item")) \(verb)\(before)\(rest)"
    }

    /// A line for each item that was left out, up to the limit.
    var reasons: [String] {
        let lines = named.map { "line \($0.line) is left out: \($0.reason)" }
        return left > named.count ? lines + ["and \(FigureText.grouped(left - named.count)) more"] : lines
    }
}
