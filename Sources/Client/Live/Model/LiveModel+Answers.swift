import JSON
import RPC
import SearchModel

/// What comes from the daemon.
extension LiveModel {
    mutating func take(_ message: Message) {
        switch message {
        case .notification(let method, let params?): take(NotificationName(exactly: method), params)
        case .notification: break
        case .result(let id, let result):
            if let purpose = requests.remove(id) { take(result, of: purpose) }
        case .failure(let id?, let error):
            if let purpose = requests.remove(id) { fail(purpose, error) }
        case .failure(nil, let error): self.message = (Self.text(error), true)
        }
    }

    private mutating func take(_ notification: NotificationName?, _ params: JSONCursor) {
        if notification == .libraryChanged { return libraryChanged(params) }
        let current = requests.id { if case .search = $0 { true } else { false } }
        guard let current, params[.request]?.int == current else { return }
        switch notification {
        case .hits: web.list.received(params[.hits]?.elements ?? [])
        case .source: strip.received(source: params)
        case .progress: strip.received(progress: params)
        default: break
        }
    }

    private mutating func take(_ result: JSONCursor, of purpose: LiveRequests.Purpose) {
        switch purpose {
        case .search(let isMore):
            let report = SearchReport(result)
            saved.formUnion(report.saved)
            strip.finish(report)
            web.finish(result, report, isMore: isMore)
        case .suggest:
            let texts = (result[.suggestions]?.elements ?? []).compactMap { $0[.text]?.string }
            suggestions = LiveSuggestions(texts.filter { !$0.hasSameBytes(as: webField.text) })
        case .history: history.replace((result[.entries]?.elements ?? []).compactMap { $0[.query]?.string })
        case .revision: watch(result[.revision]?.int ?? 0)
        case .watch: libraryChanged(result)
        case .list(let isMore): listed(result, isMore: isMore)
        case .sources(let subject): pick(subject, result)
        case .lookup(let id): if details?.id == id { lookedUp(result) }
        case .savedItem(let id): if details?.id == id { details?.saved = result[.item] }
        case .save, .forget, .note, .tag, .editNote, .editTags: keepingAnswered(purpose, result)
        case .hello, .undo: break
        }
    }

    private mutating func fail(_ purpose: LiveRequests.Purpose, _ error: ClientError) {
        switch purpose {
        case .search(let isMore):
            strip.fail()
            web.fail(error, isMore: isMore)
            // A daemon that was started anew does not know how far the list was read.
            let isForgotten = error.code == .init(.invalidParams)
            let text = isForgotten ? "this list ends here; Ctrl-R searches again" : Self.text(error)
            if isMore { message = (text, true) }
        case .list(let isMore): items.fail(error, isMore: isMore)
        case .lookup(let id):
            guard details?.id == id else { return }
            details?.isLooking = false
            details?.failure = error
        // A daemon without personal data says so when something is saved.
        case .hello, .suggest, .history, .revision, .watch, .savedItem: break
        case .sources, .save, .forget, .editNote, .editTags, .note, .tag, .undo: message = (Self.text(error), true)
        }
    }

    private mutating func lookedUp(_ result: JSONCursor) {
        details?.isLooking = false
        details?.record = ItemRecord(result)
        if result[.saved]?.bool == true, let id = details?.id { saved.insert(id) }
    }

    private mutating func listed(_ result: JSONCursor, isMore: Bool) {
        items.finish(library: result, isMore: isMore)
        if isLibraryOld { listLibrary() }
    }

    /// Another program, or this one, has changed the library.
    private mutating func libraryChanged(_ change: JSONCursor) {
        revision = change[.revision]?.int ?? revision
        for member in [Member.inserted, .updated] {
            change[member]?.forEachElement { item in
                let id = ExactText(item[.id]?.string ?? "")
                saved.insert(id)
                if details?.id == id { details?.saved = item }
            }
        }
        change[.deleted]?.forEachElement { element in
            let id = ExactText(element.string ?? "")
            saved.remove(id)
            if details?.id == id { details?.saved = nil }
        }
        guard isLibrary else { return isLibraryOld = true }
        // One list at a time, however many changes come.
        let isListing = requests.id { if case .list = $0 { true } else { false } } != nil
        if isListing { isLibraryOld = true } else { listLibrary() }
    }

    private mutating func pick(_ subject: Picker.Subject, _ result: JSONCursor) {
        let sources = (result[.sources]?.elements ?? []).map { SourceEntry($0) }.filter(\.isEnabled)
        switch subject {
        case .kinds:
            var kinds: [(name: String, about: String)] = []
            for source in sources where !kinds.contains(where: { $0.name == source.kind }) {
                let count = sources.count { $0.kind == source.kind }
                kinds.append((source.kind, FigureText.count(count, "source")))
            }
            overlay = .picker(Picker(.kinds, kinds.sorted { $0.name < $1.name }, chosen: search.kinds))
        case .sources:
            let profiles = (result[.profiles]?.elements ?? []).compactMap { profile in
                profile[.name]?.string.map { ($0, profile[.about]?.string ?? "") }
            }
            let entries = profiles + sources.map { ($0.name, $0.health == .ok ? $0.title : $0.state) }
            overlay = .picker(Picker(.sources, entries, chosen: search.sources))
        }
    }
}
