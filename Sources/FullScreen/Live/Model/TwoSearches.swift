import Client
import JSON
import RPC
import SearchModel
import Terminal

/// The search of the sources and that of the library, of which one is shown; pure.
struct TwoSearches {
    private(set) var isLibrary = false
    var web: WebSearch
    var library = LibrarySearch()

    init(_ search: LiveSearch) { web = WebSearch(search) }

    var field: TextField { isLibrary ? library.field : web.field.line }
    var results: ResultPane { isLibrary ? library.results : web.results }

    var list: HitList {
        get { isLibrary ? library.list : web.list }
        set { if isLibrary { library.list = newValue } else { web.list = newValue } }
    }

    /// The kinds that are chosen, for both.
    private var kinds: [String] { web.question.kinds }

    // MARK: The field

    /// Where is searched, as the label of the field has it.
    enum Place: String {
        case everywhere = "search"
        case library
        case here = "offline"
    }

    var place: Place { isLibrary ? .library : web.question.isOffline ? .here : .everywhere }

    mutating func edit(_ input: InputEvent, _ outbox: inout LiveOutbox) {
        if isLibrary { library.edit(input, kinds: kinds, &outbox) } else { web.edit(input, &outbox) }
    }

    /// Puts the cursor where the mouse points to.
    mutating func click(column: Int, columns: Int) {
        let start = LiveScreen.fieldColumn(place, columns: columns)
        if isLibrary {
            library.moveCursor(toShown: column - start, columns: columns - start)
        } else {
            web.moveCursor(toShown: column - start, columns: columns - start)
        }
    }

    /// The list is used: what is in the field was meant.
    mutating func leaveField() {
        if isLibrary { web.clearSuggestions() } else { web.leaveField() }
    }

    // MARK: Asking

    mutating func connected(isAgain: Bool, _ outbox: inout LiveOutbox) {
        if !isAgain { web.suggest(&outbox) }
        if isLibrary {
            library.ask(kinds: kinds, &outbox)
        } else if isAgain {
            web.resume(&outbox)
        } else {
            web.start(&outbox)
        }
    }

    mutating func toggle(_ outbox: inout LiveOutbox) {
        isLibrary.toggle()
        web.clearSuggestions()
        if isLibrary { library.show(kinds: kinds, &outbox) }
    }

    mutating func askForMore(ahead: Int, _ outbox: inout LiveOutbox) {
        if isLibrary {
            library.askForMore(ahead: ahead, kinds: kinds, &outbox)
        } else {
            web.askForMore(ahead: ahead, &outbox)
        }
    }

    mutating func nextSort(_ outbox: inout LiveOutbox) {
        if isLibrary { library.nextSort(kinds: kinds, &outbox) } else { web.nextSort(&outbox) }
    }

    /// False where nothing can be grouped.
    mutating func nextGroup(_ outbox: inout LiveOutbox) -> Bool {
        if isLibrary { library.nextGroup(kinds: kinds, &outbox) }
        return isLibrary
    }

    mutating func refresh(_ outbox: inout LiveOutbox) {
        if isLibrary { library.ask(kinds: kinds, &outbox) } else { web.start(isFresh: true, &outbox) }
    }

    mutating func apply(_ picker: Picker, _ outbox: inout LiveOutbox) {
        switch picker.subject {
        // All of them are the same as none.
        case .kinds:
            web.choose(kinds: picker.names.count > 1 && picker.names.count == picker.entries.count ? [] : picker.names)
        case .sources: web.choose(sources: picker.names)
        }
        if isLibrary { library.ask(isNew: true, kinds: kinds, &outbox) } else { web.start(&outbox) }
    }

    // MARK: Answers

    mutating func libraryChanged(_ outbox: inout LiveOutbox) {
        library.changed(isShown: isLibrary, kinds: kinds, &outbox)
    }

    mutating func finish(library result: JSONCursor, isMore: Bool, _ outbox: inout LiveOutbox) {
        library.finish(result, isMore: isMore, kinds: kinds, &outbox)
    }
}
