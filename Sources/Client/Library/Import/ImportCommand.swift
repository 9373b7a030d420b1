import CPlatform
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// The command `searchctl library import`, which saves the items of a file.
enum ImportCommand {
    private static let fileBytesMax = 1 << 30

    static func run(_ path: String?, _ context: Context, verb: String = "imported") throws(ClientError) -> ImportRun {
        guard let path = path ?? (isatty(context.console.input) == 1 ? nil : "-") else {
            throw ClientError(.usage, "“library import” needs FILE, or “-” for standard input")
        }
        var run = ImportRun(try ImportFormat.records(of: read(path, context.console)))
        let console = context.console
        let progress = ProgressLine(console: console, isOn: console.errorsIsTerminal, patience: ProgressLine.patience)
        do throws(ClientError) {
            try Connector(context).withExchange { exchange throws(ClientError) in
                try run.run(&exchange, progress)
            }
        } catch {
            progress.clear()
            // The items before the error stay saved.
            if run.taken + run.left.count > 0 { try report(run, verb, context) }
            throw OptionWords.translate(error)
        }
        try report(run, verb, context)
        return run
    }

    private static func read(_ path: String, _ console: Console) throws(ClientError) -> [UInt8] {
        var input = console.input
        if path != "-" {
            // The path is valid during the call.
            input = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
            guard input >= 0 else {
                let error = SystemError(call: path, number: platform_errno())
                throw ClientError(.usage, "the file can't be read: \(error)")
            }
        }
        defer { if path != "-" { close(input) } }
        guard path == "-" || PathFacts(of: path)?.isDirectory != true else {
            throw ClientError(.usage, "\(path) is a directory", hint: "Give the path of a file.")
        }
        let bytes = try DescriptorIO.readAll(input, console.interrupt, bytesMax: fileBytesMax)
        guard bytes.count <= fileBytesMax else {
            throw ClientError(.usage, "the file is larger than 1 GiB", hint: "Import it in parts.")
        }
        return bytes
    }

    private static func report(_ run: ImportRun, _ verb: String, _ context: Context) throws(ClientError) {
        let left = run.left.sorted { $0.line < $1.line }
        let named = left.prefix(ImportRun.namedMax)
        let json = JSONWriter.bytes { writer in
            writer.member("taken", run.taken)
            writer.member(.added, run.added)
            writer.member(.updated, run.updated)
            writer.member("left", left.count)
            let reasons: [JSONValue] = named.map { line, reason in
                ["line": .number(JSONNumber(line)), "reason": .string(reason)]
            }
            writer.member("reasons", JSONValue.array(reasons))
        }
        if !context.arguments.has(.json) {
            for (line, reason) in named {
                context.console.report(VisibleText.visible("line \(line) is left out: \(reason)"))
            }
            let more = left.count - named.count
            if more > 0 { context.console.report("and \(NumberText.grouped(more)) more") }
        }
        try context.report(json: [json[...]], or: [run.summary(verb)])
    }
}

struct ImportRun {
    static let namedMax = 20

    private var items: [ItemBatch.Item] = []
    private(set) var taken = 0
    private(set) var added = 0
    private(set) var updated = 0
    private(set) var left: [(line: Int, reason: String)] = []

    var status: ExitStatus { taken == 0 ? .nothingFound : left.isEmpty ? .found : .sourceFailed }

    init(_ records: [ImportRecord]) {
        for record in records {
            switch record.outcome {
            case .left(let reason): left.append((record.line, reason))
            case .item(let json) where json.count >= ItemBatch.bytesMax:
                left.append((record.line, "it is larger than 1,020 KiB"))
            case .item(let json): items.append(ItemBatch.Item(line: record.line, json: json))
            }
        }
    }

    /// Saves the last item first, because lists show the latest item first.
    mutating func run(_ exchange: inout DaemonConnection, _ progress: ProgressLine) throws(ClientError) {
        while !items.isEmpty {
            var batch = ItemBatch()
            for item in items.reversed() { guard batch.add(item) else { break } }
            if try save(batch, &exchange) == nil {
                items.removeLast(batch.items.count)
            } else {
                // The daemon refuses the whole batch if one item is invalid, so save the items one by one.
                for item in batch.items {
                    if let reason = try save(ItemBatch([item]), &exchange) { left.append((item.line, reason)) }
                    items.removeLast()
                }
            }
            progress.show("\(NumberText.count(taken, "item")) so far…")
        }
        progress.clear()
    }

    private mutating func save(_ batch: ItemBatch, _ exchange: inout DaemonConnection) throws(ClientError) -> String? {
        let params = JSONWriter.bytes { batch.write(to: &$0) }
        do throws(ClientError) {
            let result = try exchange.ask(.librarySave, params: params)
            taken += batch.items.count
            added += result[.added]?.int ?? 0
            updated += result[.updated]?.int ?? 0
            return nil
        } catch  where error.code == .init(.invalidParams) {
            return Self.reason(error)
        }
    }

    private static func reason(_ error: ClientError) -> String {
        guard let path = error.path, path.hasPrefix("params.items[0].") else { return error.message }
        return OptionWords.sentence(error.messageWithoutPath, about: String(path.dropFirst("params.items[0].".count)))
    }

    func summary(_ verb: String) -> String {
        let others = [
            (updated, "got new tags or notes"), (taken - added - updated, "already saved"), (left.count, "left out"),
        ]
        let rest = others.filter { $0.0 > 0 }.map { ", \(NumberText.grouped($0.0)) \($0.1)" }.joined()
        return "\(NumberText.count(added, "item")) \(verb)\(rest)"
    }
}

struct ItemBatch {
    /// The maximum length of a request, minus 4 KiB for the other members.
    static let bytesMax = 1 << 20 - 4096
    static let itemsMax = WireBounds.libraryItemsMax

    struct Item {
        let line: Int
        let json: [UInt8]
    }

    private(set) var items: [Item] = []
    private var bytes = 0

    init(_ items: [Item] = []) {
        for item in items { _ = add(item) }
    }

    mutating func add(_ item: Item) -> Bool {
        guard items.count < Self.itemsMax, bytes + item.json.count + 1 <= Self.bytesMax else { return false }
        items.append(item)
        bytes += item.json.count + 1
        return true
    }

    func write(to writer: inout JSONWriter) {
        writer.array(.items) { writer in for item in items { writer.raw(item.json) } }
    }
}
