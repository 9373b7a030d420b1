import Glibc
import JSON
import RPC
import SearchModel

/// The command `searchctl save`, which saves hits and pages.
enum SaveCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let call = try LibraryCall(context)
        let selection = HitSelection(LastSearchStore.last(context), hitsMax: WireBounds.libraryItemsMax)
        let addresses = context.arguments.words.filter(LibraryEntry.isWebAddress)
        let ids = context.arguments.words.filter { !LibraryEntry.isWebAddress($0) }
        var items = try selection.items(ids)
        var warnings: [String] = []
        for address in addresses {
            let hit = try SavedPage.hit(address, context) { warnings += $0 }
            items.append(HitSelection.Item(id: hit[.id]?.string ?? "", hit: hit))
        }
        var saved: [JSONCursor] = []
        var added = 0
        for batch in try batches(items) {
            let params = JSONWriter.bytes { writer in
                batch.write(to: &writer)
                let tags = context.arguments.tags(.tag)
                if !tags.isEmpty { writer.member(.tags, tags) }
                if let text = context.arguments.text(.noteText) { writer.object(.note) { $0.member(.text, text) } }
            }
            let result = try call.ask(.librarySave, params)
            saved += result[.items]?.elements ?? []
            added += result[.added]?.int ?? 0
        }
        for warning in warnings { context.console.report(warning) }
        let isChanged = context.arguments.has(.tag) || context.arguments.has(.noteText)
        try call.print(saved) { text in
            let now = added == 0 && isChanged ? ", now with \(text.additions)" : ""
            return "\(added == 0 ? "already saved:" : "saved") \(text.name) (\(text.id))\(now)"
        }
        if (1..<items.count).contains(added) {
            try call.tell("\(NumberText.share(items.count - added, of: items.count)) had already been saved")
        }
        return .found
    }

    private static func batches(_ items: [HitSelection.Item]) throws(ClientError) -> [ItemBatch] {
        var batches = [ItemBatch()]
        for item in items {
            // If the item is not in the last list, send only its id. The daemon may have a cached hit.
            let json = item.hit.map { SavedMembers.json(of: $0, SavedMembers.ofHit) } ?? JSONValue.string(item.id).bytes
            let entry = ItemBatch.Item(line: 0, json: json)
            if !batches[batches.count - 1].add(entry) { batches.append(ItemBatch([entry])) }
            if batches[batches.count - 1].items.isEmpty {
                throw ClientError(.init(.invalidParams), "\(item.id) is too large to be saved")
            }
        }
        return batches
    }
}

/// The command `searchctl unsave`, which removes saved items, or restores the items that were removed last.
enum UnsaveCommand {
    private static let fileName = "unsaved.ndjson"

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let directory = LastSearchStore.directory(context.environment)
        if context.arguments.has(.undo) { return try undo(directory.map { "\($0)/\(fileName)" }, context) }
        guard !context.arguments.words.isEmpty else { throw ClientError(.usage, "“unsave” needs ID… or --undo") }
        let call = try LibraryCall(context)
        let ids = try call.ids(context.arguments.words)
        let items = try call.ask(.libraryRemove, JSONWriter.bytes { $0.member(.ids, ids) })[.items]?.elements ?? []
        guard !items.isEmpty else {
            throw ClientError(
                .init(.notFound),
                ids.count == 1 ? "\(ids[0]) is not saved" : "none of these items is saved",
                hint: "“searchctl library” lists the saved items."
            )
        }
        try call.print(items) { "removed \($0.name) (\($0.id))" }
        if items.count < ids.count {
            try call.tell("\(NumberText.share(ids.count - items.count, of: ids.count)) had not been saved")
        }
        let lines = items.flatMap { Array($0.text) + [UInt8(ascii: "\n")] }
        if let directory, StateFile.replace(fileName, in: directory, with: lines) {
            try call.tell("To undo this, run: searchctl unsave --undo")
        }
        return .found
    }

    private static func undo(_ path: String?, _ context: Context) throws(ClientError) -> ExitStatus {
        guard context.arguments.words.isEmpty else { throw ClientError(.usage, "--undo takes no ID") }
        guard let path, PathFacts(of: path) != nil else {
            throw ClientError(.init(.notFound), "there is nothing to undo")
        }
        let run = try ImportCommand.run(path, context, verb: "restored")
        // The path is valid during the call.
        if run.left.isEmpty { _ = unsafe unlink(path) }
        return run.status
    }
}

/// The command `searchctl tag`, which adds tags to saved items, or removes tags.
enum TagCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let call = try LibraryCall(context)
        let ids = try call.ids([context.arguments.words[0]])
        let added = context.arguments.words.dropFirst().flatMap(TagList.tags)
        let removed = context.arguments.tags(.removedTag)
        guard !added.isEmpty || !removed.isEmpty else {
            throw ClientError(.usage, "no tag is given", hint: "Give a WORD, or --remove WORD.")
        }
        let params = JSONWriter.bytes { writer in
            writer.member(.ids, ids)
            writer.member(.add, added)
            writer.member(.remove, removed)
        }
        let result = try call.ask(.libraryTag, params)
        if added.isEmpty, result[.updated]?.int == 0 {
            let subject = ids.count == 1 ? "the item has" : "these items have"
            let tags = removed.map { "“\($0)”" }.joined(separator: " and ")
            throw ClientError(.init(.notFound), "\(subject) no tag \(tags)", hint: "“searchctl show” lists its tags.")
        }
        try call.print(result[.items]?.elements ?? []) { text in
            "\(text.name): \(text.additions.isEmpty ? "no tags" : text.additions)"
        }
        return .found
    }
}

extension CommandOption {
    static let tag = CommandOption(
        "tag",
        value: .text("WORD"),
        isRepeatable: true,
        help: "add a tag, or several with commas between them",
        suggestion: .tags
    )
    static let noteText = CommandOption("note", value: .text("TEXT"), help: "add this note to each item")
    static let undo = CommandOption("undo", help: "restore the items that you removed last")
    static let removedTag = CommandOption(
        "remove",
        value: .text("WORD"),
        isRepeatable: true,
        help: "remove this tag",
        suggestion: .tags
    )

    private static let output = [json, plain, format, field]
    static let ofSave = [tag, noteText] + output
    static let ofUnsave = [undo] + output
    static let ofTag = [removedTag] + output
    static let ofNote = [rating, noteTitle, replacedNote, removedNote] + output
}
