import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// `searchctl save ID…`: keeps hits.
enum SaveCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let call = try LibraryCall(arguments, context)
        let selection = HitSelection(LastSearchStore.all(context), hitsMax: WireBounds.libraryItemsMax)
        let items = try selection.items(arguments.words)
        var saved: [JSONCursor] = []
        var added = 0
        for batch in batches(items) {
            let result = try call.ask(.librarySave, params(batch, arguments))
            saved += result[.items]?.elements ?? []
            added += result[.added]?.int ?? 0
        }
        try call.print(saved) { "saved \($0.name) (\($0.id))" }
        if added < items.count {
            let known = items.count == 1 ? "it" : FigureText.share(items.count - added, of: items.count)
            try call.tell("\(known) had been saved before")
        }
        return .found
    }

    /// The items as a request names them, as many together as one takes: large hits need several.
    private static func batches(_ items: [HitSelection.Item]) -> [ImportBatch] {
        var batches = [ImportBatch()]
        for (index, item) in items.enumerated() {
            // What the last search printed is whole; of anything else the daemon may know more than its id. What has
            // been removed from an item since it was listed stays so.
            let json = item.hit.map { SavedMembers.json(of: $0, SavedMembers.ofHit) } ?? JSONValue.string(item.id).bytes
            let entry = ImportBatch.Item(line: index, json: json)
            if !batches[batches.count - 1].add(entry) { batches.append(ImportBatch([entry])) }
        }
        return batches
    }

    private static func params(_ batch: ImportBatch, _ arguments: Arguments) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.array(.items) { writer in for item in batch.items { writer.raw(item.json) } }
            let tags = arguments.tags(.tag)
            if !tags.isEmpty { writer.member(.tags, tags) }
            if let text = arguments.text(.noteText) { writer.object(.note) { $0.member(.text, text) } }
        }
    }
}

/// `searchctl unsave ID…`: removes saved items, and says how they come back.
enum UnsaveCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        if arguments.has(.undo) { return try undo(arguments, context) }
        guard !arguments.words.isEmpty else {
            throw ClientError(
                .usage,
                "“unsave” needs ID…",
                hint: "Usage: searchctl unsave ID…, or searchctl unsave --undo."
            )
        }
        let call = try LibraryCall(arguments, context)
        let ids = try call.ids(arguments.words)
        let result = try call.ask(.libraryRemove, JSONWriter.bytes { $0.member(.ids, ids) })
        let items = Array(result[.items]?.elements ?? [])
        guard !items.isEmpty else {
            throw ClientError(
                .init(.notFound),
                ids.count == 1 ? "\(ids[0]) is not saved" : "none of them is saved",
                hint: "“searchctl library” lists what is saved."
            )
        }
        try call.print(items) { "removed \($0.name) (\($0.id))" }
        if items.count < ids.count {
            try call.tell("\(FigureText.share(ids.count - items.count, of: ids.count)) had not been saved")
        }
        let isKept = removed(context)?.keep(items) ?? false
        try call.tell(isKept ? "To undo it: searchctl unsave --undo" : undoText(items))
        return .found
    }

    /// Saves again what was removed last; once more, what was removed before that.
    private static func undo(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        guard arguments.words.isEmpty else { throw ClientError(.usage, "--undo takes no ID") }
        guard let removed = removed(context), let file = removed.latest else {
            throw ClientError(.init(.notFound), "nothing has been removed lately")
        }
        let status = try ImportCommand.run(file, arguments, context, verb: "brought back")
        if status == .found { removed.remove(file) }
        return status
    }

    private static func removed(_ context: Context) -> RemovedItems? {
        LastSearchStore.directory(context.environment).map { RemovedItems(directory: $0, now: context.now()) }
    }

    /// The command that saves again what was removed, where nothing could be kept.
    static func undoText(_ items: [JSONCursor]) -> String {
        // Escaped for terminals; the JSON means the same.
        let lines = items.map { String(decoding: VisibleJSON.visible($0.text), as: UTF8.self) }
        return "To undo it:\nsearchctl library import - <<'END'\n\(lines.joined(separator: "\n"))\nEND"
    }
}

/// `searchctl tag ID WORD…`: adds tags to an item, or removes some.
enum TagCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let call = try LibraryCall(arguments, context)
        let ids = try call.ids([arguments.words[0]])
        let added = arguments.words.dropFirst().map(Arguments.tag)
        let removed = arguments.tags(.removedTag)
        guard !added.isEmpty || !removed.isEmpty else {
            throw ClientError(
                .usage,
                "no tag is given",
                hint: "Usage: searchctl tag ID WORD…, or searchctl tag ID --remove WORD."
            )
        }
        let params = JSONWriter.bytes { writer in
            writer.member(.ids, ids)
            writer.member(.add, added)
            writer.member(.remove, removed)
        }
        let before = removed.isEmpty || ids.count > 1 ? nil : try tags(of: ids[0], call)
        let result = try call.ask(.libraryTag, params)
        for tag in removed where before?.contains(where: { $0.hasSameBytes(as: tag) }) == false {
            try call.tell("there was no tag “\(tag)”")
        }
        try call.print(Array(result[.items]?.elements ?? [])) { text in
            "\(text.name): \(text.additions.isEmpty ? "no tags" : text.additions)"
        }
        return .found
    }

    private static func tags(of id: String, _ call: LibraryCall) throws(ClientError) -> [String] {
        let item = try call.ask(.libraryGet, JSONWriter.bytes { $0.member(.id, id) })[.item]
        return item?[.tags]?.elements.compactMap(\.string) ?? []
    }
}

/// The options of `save`, `unsave` and `tag`.
extension CommandOption {
    static let tag = CommandOption(
        "tag",
        value: .text("WORD"),
        isRepeatable: true,
        help: "a tag",
        suggestion: .tags
    )
    static let noteText = CommandOption("note", value: .text("TEXT"), help: "a note on each")
    static let undo = CommandOption("undo", help: "save again what was removed last")
    static let removedTag = CommandOption(
        "remove",
        value: .text("WORD"),
        isRepeatable: true,
        help: "take this tag away",
        suggestion: .tags
    )

    private static let output = [json, plain, format, field]
    static let ofSave = [tag, noteText] + output
    static let ofUnsave = [undo] + output
    static let ofTag = [removedTag] + output
    static let ofNote = [rating, noteTitle, replacedNote, removedNote] + output
}

/// What `unsave` has removed, in a file for each time that `library import` reads; no other user can read them.
struct RemovedItems {
    /// Older files are removed.
    static let filesMax = 20
    private static let prefix = "unsaved-"
    private static let suffix = ".ndjson"

    /// The user's own for such things.
    let directory: String
    /// Seconds since 1970.
    let now: Int64

    /// Keeps items; false when they can't be kept.
    func keep(_ items: [JSONCursor]) -> Bool {
        let others = names
        let free = (0...others.count).lazy.map(name).first { !others.contains($0) }
        let lines = items.flatMap { Array($0.text) + [UInt8(ascii: "\n")] }
        guard let free, StateFile.replace(free, in: directory, with: lines) else { return false }
        for old in (others + [free]).sorted().dropLast(Self.filesMax) { remove("\(directory)/\(old)") }
        return true
    }

    /// The file of the latest removal; nil when none is kept.
    var latest: String? { names.max().map { "\(directory)/\($0)" } }

    func remove(_ path: String) {
        // The path lives through the call.
        _ = unsafe unlink(path)
    }

    /// In the order of the times, for the next centuries.
    private func name(_ number: Int) -> String { "\(Self.prefix)\(now).\(number)\(Self.suffix)" }

    private var names: [String] {
        (SystemCall.names(in: directory) ?? []).filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }
    }
}

/// `searchctl library refresh [ID…]`: has saved items looked up again, on spare quota.
enum RefreshCommand {
    static func run(
        _ words: [String],
        _ arguments: Arguments,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        let call = try LibraryCall(arguments, context)
        let ids = words.isEmpty ? [] : try call.ids(words)
        let params = JSONWriter.bytes { writer in if !ids.isEmpty { writer.member(.ids, ids) } }
        let result = try call.ask(.libraryRefresh, params)
        let (queued, left) = (result[.queued]?.int ?? 0, result[.left]?.int ?? 0)
        switch format {
        case .json: try Printer(context.console).print(json: result.text)
        case .text: try Printer(context.console).print(text(queued, left) + "\n")
        }
        return queued > 0 ? .found : .nothingFound
    }

    private static func text(_ queued: Int, _ left: Int) -> String {
        let sources = left == 1 ? "its source has" : "their sources have"
        let can = "can't be refreshed: \(sources) no way to look up a single item"
        let others = left == 0 ? "" : "\(FigureText.count(left, "item")) \(can)"
        guard queued > 0 else { return others.isEmpty ? "There is nothing to look up." : "\(others)." }
        return "\(FigureText.count(queued, "item")) will be looked up when the sources have quota to spare; "
            + "“searchctl library --watch” prints what changes." + (others.isEmpty ? "" : "\n\(others).")
    }
}

/// `searchctl library backup`: makes a copy of the user's file now.
enum BackupCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        let result = try LibraryCall(arguments, context).ask(.libraryBackup, Array("{}".utf8))
        switch format {
        case .json: try Printer(context.console).print(json: result.text)
        case .text:
            let items = FigureText.count(result[.items]?.int ?? 0, "item")
            let size = FigureText.bytes(result[.bytes]?.int ?? 0)
            try Printer(context.console).print("Copied \(items), \(size).\n")
        }
        return .found
    }
}
