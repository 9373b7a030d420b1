import RPC

/// What is saved.
extension CommandTable {
    private static let itemsMax = FigureText.grouped(WireBounds.libraryItemsMax)

    static let keeping = [
        Command(
            "save",
            .keep,
            arguments: "ID…",
            wordCount: 1...WireBounds.libraryItemsMax,
            summary: "keep hits in your library",
            details: [
                "ID is the number in front of a title, several as 1-3, or a hit's id; \(itemsMax) at most. What is saved "
                    + "already stays as it is, and gets the tags and the note on top.",
                "The library is yours alone: every program of yours sees it, and no other user.",
            ],
            options: CommandOption.ofSave,
            examples: ["searchctl save 1", "searchctl save 1-3 --tag 읽을것"],
            suggestions: { _ in [.hits] },
            run: SaveCommand.run
        ),
        Command(
            "unsave",
            .keep,
            arguments: "ID… | --undo",
            wordCount: 0...WireBounds.libraryItemsMax,
            summary: "take items out of your library; --undo brings them back",
            details: ["ID is a number of the last list, an item's id, or its unique beginning; \(itemsMax) at most."],
            manual: [
                "--undo brings back what was removed last, with its notes, tags and times; again, what was removed before "
                    + "that, of the latest \(RemovedItems.filesMax) times in this session. With --json it prints the items, "
                    + "which “searchctl library import” takes back."
            ],
            options: CommandOption.ofUnsave,
            examples: ["searchctl unsave 2", "searchctl unsave --undo"],
            suggestions: { _ in [.hits, .saved] },
            isBrief: true,
            run: UnsaveCommand.run
        ),
        Command(
            "note",
            .keep,
            arguments: "ID [TEXT…]",
            wordCount: 1...Command.wordsMax,
            summary: "write a note on a saved item, or rate it",
            details: ["Without a text, $VISUAL or $EDITOR is opened with the latest note, or for a first one."],
            options: CommandOption.ofNote,
            examples: [
                "searchctl note 1 나중에 다시 읽기 --rating 4", "searchctl note 1", "searchctl note 1 --replace 2 --rating 5",
            ],
            suggestions: { $0.isEmpty ? [.hits, .saved] : [] },
            run: NoteCommand.run
        ),
        Command(
            "tag",
            .keep,
            arguments: "ID [WORD…]",
            wordCount: 1...Command.wordsMax,
            summary: "put tags on a saved item, or take them off",
            details: ["Tags are the same whatever their case. Several items are 1-3, \(itemsMax) at most."],
            options: CommandOption.ofTag,
            examples: ["searchctl tag 1 읽을것 여름", "searchctl tag 1 --remove 여름"],
            suggestions: { $0.isEmpty ? [.hits, .saved] : [.tags] },
            isBrief: true,
            run: TagCommand.run
        ),
        Command(
            "library",
            .keep,
            arguments: "[export | import FILE | refresh [ID…] | backup]",
            wordCount: 0...Command.wordsMax,
            summary: "what you have saved",
            details: [
                "The numbers of this list are what “show 1”, “note 1” and the like mean from then on.",
                "“export” prints all of it, or what the options name: as ndjson with everything, which “import” takes back; "
                    + "as csv, markdown, or html, the bookmark file that browsers read; books as bibtex or ris.",
                "“import” saves what a file has, or standard input (-): ndjson, CSV, or a browser's bookmark file. It says "
                    + "what it took and what it left; importing a file twice is the same as once.",
                "“refresh” has items looked up again, all without ID, as their sources have quota to spare.",
                "“backup” makes a copy of the file now; the daemon makes one every day, and keeps two.",
            ],
            manual: [
                "Of CSV, the first line names the columns: title, author, url, published, kind, tags, rating, note title, "
                    + "note, saved, snippet, thumbnail, extra, id; the names that other programs give them are known too, as are 제목, 주소, 링크, 메모, "
                    + "평점 and 태그; others are passed over. An item with several notes has a row for each. A text that a spreadsheet would "
                    + "take for a formula has an apostrophe before it. Tags have commas between them.",
                "Of ndjson, each line is an item as an export has it, or a hit as search prints it with --json.",
                "Of a browser's bookmarks, the folders become tags. What has no id of its own, as bookmarks, gets one from "
                    + "its address, with the source \(LibraryEntry.importedSource).",
            ],
            options: CommandOption.ofLibrary,
            examples: [
                "searchctl library", "searchctl library -q ㄱㅇㅇ --group-by genre",
                "searchctl library --tag 읽을것 --sort rating", "searchctl library export >library.ndjson",
                "searchctl library export --format html --tag 여름 >bookmarks.html",
                "searchctl library import bookmarks.html",
            ],
            optionsBehind: LibraryCommand.options,
            suggestions: LibraryCommand.suggestions,
            run: LibraryCommand.run
        ),
    ]
}
