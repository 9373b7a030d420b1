import Client
import JSON
import RPC
import SearchModel

/// Writes the HTML pages in one language and for one caller.
struct Pages: Sendable {
    let language: Language
    let caller: Caller
    let signer: AddressSigner

    /// In the template, each `{{name}}` is replaced by the part with this name.
    private static let template = String(decoding: PackageResources.page_html, as: UTF8.self)

    /// The title may be untrusted text.
    func page(_ title: String, form: Markup, credits: [String], main: Markup, status: Int = 200) -> WebResponse {
        let title = Visible.text(title, scalarsMax: 200)
        let parts: [String: Markup] = [
            "language": "\(language.rawValue)", "title": title.isEmpty ? "searchd" : "\(title) – searchd", "form": form,
            "main": main, "words": words, "links": links, "help": help, "skip": "\(language[.skipToHits])",
            "close": "\(language[.close])",
            "credits": credits.map { credit -> Markup in "<li>\(Visible.text(credit, scalarsMax: 200))</li>" }.markup,
        ]
        var text = ""
        for (index, piece) in Self.template.split(separator: "{{", omittingEmptySubsequences: false).enumerated() {
            guard index > 0, let end = piece.firstRange(of: "}}") else {
                text += piece
                continue
            }
            text += (parts[String(piece[..<end.lowerBound])]?.text ?? "") + piece[end.upperBound...]
        }
        return WebResponse(status, "text/html; charset=utf-8", Array(text.utf8))
    }

    private var words: Markup {
        let words: [Word] = [.lost, .unavailable, .wait, .nothing, .save, .saved, .undone, .undo]
        return words.map { "data-\($0.rawValue)=\"\(language[$0])\" " }.markup
    }

    private var links: Markup {
        let library: Markup? =
            caller == .user ? "<a href=\"/library\" accesskey=\"l\" data-key=\"L\">\(language[.library])</a> " : nil
        return "\(library)<a href=\"/help\" data-key=\"?\" aria-label=\"\(language[.help])\">?</a>"
    }

    var help: Markup {
        let keys: [(String, String, String)] = [
            ("/", "edit the query", "검색어 고치기"), ("↓ j", "next hit", "다음"), ("↑ k", "previous hit", "이전"),
            ("Home g", "first hit", "처음으로"), ("End G", "last hit", "마지막으로"),
            ("Enter", "open the hit", "열기"), ("s", "save or remove the hit", "저장하거나 삭제"),
            ("n", "write a note and set stars", "메모와 별점"), ("t", "edit the tags", "태그 고치기"),
            ("u", "undo the last change", "마지막 변경 되돌리기"), ("y", "copy the link", "주소 복사"),
            ("R r", "read the page here", "여기에서 페이지 읽기"), ("o", "change the order", "정렬 바꾸기"),
            ("K c", "choose a kind or a group", "종류나 묶음 고르기"), ("m", "show more hits", "결과 더 보기"),
            ("L", "show your library", "보관함"), ("Esc", "close, or go to the query", "닫기, 검색창으로"),
            ("?", "show this help", "도움말"),
        ]
        let rows = keys.map { key, english, korean -> Markup in
            "<dt><kbd>\(key)</kbd></dt><dd>\(language == .korean ? korean : english)</dd>"
        }
        let token: Markup? = caller == .anyone ? "<p>\(language[.library]): \(language[.noToken])</p>" : nil
        return "<h2>\(language[.keys])</h2><dl class=\"keys\">\(rows.markup)</dl>\(token)"
    }

    func form(_ parameters: WebParameters?, _ directory: Directory?) -> Markup {
        let chosen = parameters?["categories"] ?? ""
        func options(_ names: [String]) -> Markup {
            names.map { name in
                option(name, chosen, language.name(of: name.hasPrefix("@") ? String(name.dropFirst()) : name))
            }.markup
        }
        let profiles = (directory?.profiles ?? []).filter { $0.name != "@default" && !$0.sources.isEmpty }.map(\.name)
        let orders: [(String, Word)] = [("", .relevance), ("recency", .recency), ("title", .title)]
        let order = parameters?["sort"] ?? ""
        let engines = (parameters?.words("engines") ?? []).joined(separator: ",")
        let kept: Markup? = engines.isEmpty ? nil : "<input type=\"hidden\" name=\"engines\" value=\"\(engines)\">"
        let isOpen = ["since", "until", "site"].contains { parameters?[$0] != nil } || !order.isEmpty
        func field(_ name: String, _ type: String, _ word: Word) -> Markup {
            """
            <label>\(language[word]) <input type="\(type)" name="\(name)" value="\(parameters?[name] ?? "")"></label>

            """
        }
        return """
            <form id="search" action="/search" role="search">
            <input type="search" name="q" value="\(parameters?["q"] ?? "")" aria-label="\(language[.search])" list="words"
             maxlength="1000" autocomplete="off" autocapitalize="off" enterkeyhint="search" required>
            <datalist id="words"></datalist>
            <select name="categories" aria-label="\(language[.kinds])"><option value="">\(language[.everything])</option>
            <optgroup label="\(language[.profiles])">\(options(profiles))</optgroup>
            <optgroup label="\(language[.kinds])">\(options(directory?.kinds ?? []))</optgroup></select>
            <button>\(language[.search])</button>\(kept)
            <details\(isOpen ? " open" as Markup : "")><summary>\(language[.options])</summary>
            <label>\(language[.order]) <select name="sort">\(orders.map { option($0.0, order, language[$0.1]) }.markup)</select></label>
            \(field("since", "date", .since))\(field("until", "date", .until))\(field("site", "text", .site))
            <label class="script"><input type="checkbox" id="typing"> \(language[.typing])</label></details></form>
            """
    }

    private func option(_ value: String, _ chosen: String, _ label: String) -> Markup {
        "<option value=\"\(value)\"\(value == chosen ? " selected" as Markup : "")>\(label)</option>"
    }

    func results(_ request: SearchRequest, _ answer: JSONCursor, next: String?) -> Markup {
        let saved = Set(caller == .user ? (answer[.saved]?.elements ?? []).compactMap(\.string) : [])
        let hits = (answer[.hits]?.elements ?? []).map { FoundHit($0) }
        let outcomes = (answer[.sources]?.elements ?? []).map { SourceOutcome($0) }
        return list(
            hits.map { hit($0, isSaved: saved.contains($0.id)) }.markup,
            isGrid: !hits.isEmpty && hits.allSatisfy { $0.kind == "image" },
            strip: outcomes.map(outcome).markup,
            status: status(of: answer),
            next: next,
            isLate: outcomes.contains { $0.status == .late }
        )
    }

    func status(of answer: JSONCursor) -> Markup {
        let reports = answer[.sources]?.elements ?? []
        let isEmpty = (answer[.hits] ?? answer[.order])?.count == 0
        let empty: Markup? = isEmpty ? "\(language[.nothing]) " : nil
        let late: Markup? =
            reports.contains { $0[.status]?.word() == SourceStatus.late } ? "\(language[.incomplete])" : nil
        let queries = caller == .user ? (answer[.didYouMean]?.elements ?? []).compactMap(\.string) : []
        return "\(empty)\(late)\(didYouMean(queries))"
    }

    func list(
        _ hits: Markup = "",
        isGrid: Bool = false,
        strip: Markup = "",
        status: Markup = "",
        next: String? = nil,
        isLate: Bool = false
    ) -> Markup {
        """
        <ul id="sources" aria-label="\(language[.sources])">\(strip)</ul>
        <p id="status" role="status"\(isLate ? " data-late" as Markup : "")>\(status)</p>
        <ol id="hits" tabindex="-1"\(isGrid ? " class=\"grid\"" as Markup : "")>\(hits)</ol>
        <p id="more">\(more(next))</p>
        """
    }

    func more(_ next: String?) -> Markup? {
        next.map { "<a href=\"\($0)\" rel=\"next\">\(language[.more])</a>" }
    }

    private func didYouMean(_ queries: [String]) -> Markup? {
        guard !queries.isEmpty else { return nil }
        let links = queries.map { query -> Markup in
            "<a href=\"/search?q=\(PercentEncoding.encode(query))\">\(Visible.text(query))</a> "
        }
        return " \(language[.didYouMean]) \(links.markup)"
    }

    func hit(_ hit: FoundHit, isSaved: Bool, removed: JSONCursor? = nil) -> Markup {
        let url = hit.url?.string ?? ""
        let title = hit.title?.string ?? ""
        let name = Visible.marked(title.isEmpty ? url : title, Self.marks(hit.marks?["title"]), scalarsMax: 300)
        let link: Markup =
            Visible.isLink(url)
            ? "<a href=\"\(url)\" rel=\"noreferrer\"><bdi>\(name)</bdi></a>" : "<span><bdi>\(name)</bdi></span>"
        let snippet = Visible.marked(hit.snippet?.string ?? "", Self.marks(hit.marks?["snippet"]), scalarsMax: 600)
        let undo: Markup? = removed.map { " data-items=\"[\(String(decoding: $0.text, as: UTF8.self))]\"" }
        return """
            <li class="hit kind-\(Visible.text(hit.kind))" data-id="\(hit.id)" tabindex="-1"\(undo)>\(picture(of: hit))
            <h3>\(link)</h3>
            <p class="snippet"><bdi>\(snippet)</bdi></p>
            <p class="facts">\(facts(of: hit, url))</p>
            \(caller == .user ? keep(hit, isSaved: isSaved) : nil)</li>

            """
    }

    private func picture(of hit: FoundHit) -> Markup? {
        guard let address = hit.thumbnail?.string, Visible.isLink(address) else { return nil }
        return "<img src=\"/image?\(signed(address))\" alt=\"\" loading=\"lazy\" decoding=\"async\">"
    }

    func signed(_ address: String) -> String {
        "url=\(PercentEncoding.encode(address))&sig=\(signer.signature(of: address))"
    }

    private func facts(of hit: FoundHit, _ url: String) -> Markup {
        var parts: [Markup] = [
            "<span class=\"source\">\(Visible.text(hit.source))\(hit.alsoFrom.isEmpty ? "" : " +\(hit.alsoFrom.count)")</span>"
        ]
        if let date = hit.date { parts.append("<time datetime=\"\(date)\">\(date)</time>") }
        let author =
            hit.author?.string ?? hit.extra?["authors"]?.elements.compactMap(\.string).joined(separator: ", ") ?? ""
        if !author.isEmpty { parts.append("<bdi>\(Visible.text(author, scalarsMax: 100))</bdi>") }
        let facts = hit.extra.map { Facts.line(of: $0, in: language) } ?? ""
        if !facts.isEmpty { parts.append("<bdi>\(Visible.text(facts, scalarsMax: 200))</bdi>") }
        if Visible.isLink(url) {
            parts.append("<bdi>\(URLParts(url).host)</bdi>")
            parts.append(readerLink(url))
        } else if !url.isEmpty {
            parts.append("<bdi>\(Visible.text(url, scalarsMax: 100))</bdi>")
        }
        return parts.dropFirst().reduce(parts[0]) { "\($0) · \($1)" }
    }

    private func keep(_ hit: FoundHit, isSaved: Bool) -> Markup {
        // A removed item still has its tags and notes, but the page must not show them.
        let (words, notes) = isSaved ? (hit.tags, hit.notes) : ([], [])
        let tags = words.map { tag -> Markup in
            "<a class=\"tag\" href=\"/library?tags=\(PercentEncoding.encode(tag))\">#\(Visible.text(tag))</a> "
        }
        let ratings = (1...5).map { option("\($0)", "", String(repeating: "★", count: $0)) }
        let tagField: Markup? =
            isSaved && hit.savedAt == nil
            ? nil
            : """
            <input type="hidden" name="had" value="\(words.joined(separator: ", "))"><label>\(language[.tags]) <input name="tags" value="\(words.joined(separator: ", "))"></label>
            """
        let button = isSaved ? language[.saved] : language[.save]
        // There are two forms, because Enter in a field activates the first button of its form.
        let form: Markup =
            "<form method=\"post\" action=\"/library\"><input type=\"hidden\" name=\"id\" value=\"\(hit.id)\">"
        return """
            <div class="keep">\(form)<button name="do" value="\(isSaved ? "remove" : "save")" \
            aria-pressed="\(isSaved ? "true" : "false")">★ \(button)</button></form>
            \(tags.markup)<details><summary>\(tagField.map { _ in "\(language[.tags]), " })\(language[.note])</summary>\(form)
            \(tagField)<label>\(language[.note]) <textarea name="note" rows="2"></textarea></label>
            <label>\(language[.rating]) <select name="rating"><option value="">\(language[.noRating])</option>\(ratings.markup)</select></label>
            <button name="do" value="write">\(language[.write])</button></form></details></div>\(notes.map(note).markup)
            """
    }

    private func note(_ note: JSONCursor) -> Markup {
        let stars = String(repeating: "★", count: min(max(note["rating"]?.int ?? 0, 0), 5))
        let title = note["title"]?.string.map { "\(Visible.text($0)) " } ?? ""
        return "<p class=\"note\">\(stars) <bdi>\(title)\(Visible.text(note["text"]?.string ?? ""))</bdi></p>"
    }

    func outcome(_ outcome: SourceOutcome) -> Markup {
        let status = outcome.status ?? .ok
        let sign = [.ok: "✓", .failed: "✗", .late: "…", .queued: "…", .retrying: "…", .partial: "~"][status] ?? "–"
        let detail = outcome.reason.map { Visible.text($0, scalarsMax: 300) } ?? ""
        let word = outcome.kind.flatMap(Word.init(rawValue:)).map { language[$0] }
        let text = status == .ok ? "\(outcome.count)" : word ?? language[Word(rawValue: status.rawValue) ?? .waiting]
        return """
            <li class="\(status.rawValue)" data-source="\(outcome.source)" title="\(detail)"><span aria-hidden="true">\(sign)</span> \
            \(Visible.text(outcome.source)) <small>\(text)</small></li>
            """
    }

    private static func marks(_ ranges: JSONCursor?) -> [Range<Int>] {
        (ranges?.elements ?? []).compactMap { range in
            guard let start = range[0]?.int, let end = range[1]?.int, start >= 0, start < end else { return nil }
            return start..<end
        }
    }

    // MARK: Other pages

    func status(of error: ClientError) -> Markup {
        "<span class=\"error\">\(Visible.text(language.text(of: error)))</span>"
    }

    func library(_ parameters: WebParameters, _ answer: JSONCursor, next: String?) -> Markup {
        let items = (answer[.items]?.elements ?? []).map { FoundHit($0) }
        let orders: [(String, Word)] = [
            ("", .savedAt), ("published", .recency), ("title", .title), ("rating", .rated),
        ]
        let order = parameters["sort"] ?? ""
        let isFiltered = ["q", "tags", "kinds"].contains { parameters[$0]?.isEmpty == false }
        let kinds = Set(items.map(\.kind) + [parameters["kinds"] ?? ""]).filter { !$0.isEmpty }.sorted()
        let kind = parameters["kinds"] ?? ""
        return """
            <form id="filter" action="/library"><input type="search" name="q" value="\(parameters["q"] ?? "")" \
            aria-label="\(language[.library])" placeholder="\(language[.library])">
            <input name="tags" value="\(parameters["tags"] ?? "")" aria-label="\(language[.tags])" placeholder="\(language[.tags])">
            <select name="kinds" aria-label="\(language[.kinds])">\(option("", kind, language[.everything]))\
            \(kinds.map { option($0, kind, language.name(of: $0)) }.markup)</select>
            <select name="sort" aria-label="\(language[.order])">\(orders.map { option($0.0, order, language[$0.1]) }.markup)</select>
            <button>\(language[.search])</button></form>
            \(list(
                items.map { hit($0, isSaved: true) }.markup,
                status: items.isEmpty ? "\(language[isFiltered ? .nothing : .libraryEmpty])" : "\(answer[.total]?.int ?? items.count)",
                next: next
            ))
            """
    }
}
