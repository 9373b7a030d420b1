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
