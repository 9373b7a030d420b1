import EventLoop
import JSON
import RPC
import SearchModel

/// One import: reads the file as far as a request needs it, and saves what it has.
///
/// What is on its way when the connection ends is asked for again on the next: saving twice is saving once.
struct ImportRun {
    private static let chunkBytesMax = 64 << 10

    private let input: Int32
    private let interrupt: Int32?
    private var reader: (any ImportReader)?
    /// What was read before the kind of the file was known.
    private var beginning: [UInt8] = []
    private var hasEnded = false
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
        while let batch = try next() {
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
    private mutating func next() throws(ClientError) -> ImportBatch? {
        if let batch = batches.last { return batch }
        var batch = ImportBatch()
        fill: while true {
            while let record = waiting.first {
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
            guard !hasEnded else { break }
            waiting = try read()[...]
        }
        guard !batch.isEmpty else { return nil }
        batches.append(batch)
        return batch
    }

    private mutating func read() throws(ClientError) -> [ImportRecord] {
        guard let bytes = try chunk() else { return [] }
        hasEnded = bytes.isEmpty
        guard reader == nil else { return try take(bytes) }
        beginning += bytes
        guard hasEnded || beginning.count >= ImportFormat.bytesMin else { return [] }
        let format = try ImportFormat(beginning)
        reader = format.reader
        var records = try take(Array(ImportFormat.withoutMark(beginning)))
        beginning = []
        if hasEnded { records += try take([]) }
        return records
    }

    private mutating func take(_ bytes: [UInt8]) throws(ClientError) -> [ImportRecord] {
        try (hasEnded && bytes.isEmpty ? reader?.finish() : reader?.take(bytes)) ?? []
    }

    /// The next bytes; empty at the end, nil when there are none yet.
    private func chunk() throws(ClientError) -> [UInt8]? {
        if try Transfers.wait(for: input, interrupt)[1] { throw ClientError(.interrupted, "interrupted") }
        return try Transfers.read(input, bytesMax: Self.chunkBytesMax)
    }
}
