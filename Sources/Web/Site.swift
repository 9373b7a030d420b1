import CPlatform
import Client
import EventLoop
import JSON
import RPC
import SearchModel

/// Gets data from the daemon to answer the requests of browsers and other programs.
actor Site: LoopActor, WebHandler {
    nonisolated let loop: EventLoop
    private static let directoryAge = Duration.seconds(10)
    private static let readingsMax = 8
    /// These types cannot contain scripts.
    private static let pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]

    private let access: AccessCheck
    private let signer = AddressSigner()
    private let link: DaemonLink
    /// For pictures and web pages, so that searches do not wait for them.
    private let bulkLink: DaemonLink
    private var directory: (value: Directory, at: Instant)?
    private let recent = Locked(RecentAnswers())
    private var joined: [RecentAnswers.Key: [CheckedContinuation<WebResponse, Never>]] = [:]

    private var readingCount = 0
    private var lastReading: Task<Void, Never>?

    init(on loop: EventLoop, access: AccessCheck, connector: Connector) {
        (self.loop, self.access) = (loop, access)
        link = DaemonLink(on: loop, connector: connector) { [recent] in
            recent.withLock { $0 = RecentAnswers() }
            platform_release_start_memory()
        }
        bulkLink = DaemonLink(on: loop, connector: connector)
    }

    nonisolated func recentResponse(to request: WebRequest) -> WebResponse? {
        guard let key = sharedKey(of: request), let answer = recent.withLock({ $0.answer(to: key, at: loop.now) }),
            access.refusal(of: request) == nil
        else { return nil }
        return WebResponse(200, "application/json", answer)
    }

    /// Nil if the answer also depends on something other than path and query, such as the user.
    private nonisolated func sharedKey(of request: WebRequest) -> RecentAnswers.Key? {
        let isShared = request.method != .post && request.body.isEmpty && access.caller(of: request) == .anyone
        return isShared ? RecentAnswers.Key(request) : nil
    }

    func respond(to request: WebRequest) async -> WebResponse {
        if let refusal = access.refusal(of: request) { return refusal }
        let parameters = WebParameters(request)
        let token = request.method == .post ? nil : parameters["token"]
        if let token, access.token?.matches(token) != false { return enter(token, request) }
        let visit = Visit(
            request: request,
            parameters: parameters,
            pages: Pages(
                language: Language(accepting: request[.acceptLanguage]),
                caller: access.caller(of: request),
                signer: signer
            )
        )
        if token != nil {
            let text = visit.pages.language[.wrongToken]
            return visit.page(text, "<p>\(text) \(visit.pages.language[.noToken])</p>", nil, status: 403)
        }
        switch request.path {
        case "/", "/search": return await search(visit)
        case "/stream": return await stream(visit)
        case "/library": return await library(visit)
        case "/image": return await image(visit)
        case "/read": return await read(visit)
        case "/autocompleter": return await complete(visit)
        case "/config": return await configuration(visit)
        case "/healthz": return .text(200, "OK")
        case "/opensearch.xml": return openSearch(visit)
        case "/help": return await visit.page(visit.pages.language[.help], visit.pages.help, try? known())
        case "/page.css": return Self.asset("text/css; charset=utf-8", PackageResources.page_css)
        case "/page.js": return Self.asset("text/javascript; charset=utf-8", PackageResources.page_js)
        case "/icon.svg": return Self.asset("image/svg+xml", Array(Self.icon.utf8))
        case "/robots.txt": return .text(200, "User-agent: *\nDisallow: /")
        default:
            let text = visit.pages.language[.noPage]
            return visit.page(text, "<p>\(text)</p>", directory?.value, status: 404)
        }
    }

    private struct Visit {
        let request: WebRequest
        let parameters: WebParameters
        let pages: Pages

        var caller: Caller { pages.caller }
        var isOfScript: Bool { request[.requestedWith]?.lowercased() == "xmlhttprequest" }

        func page(_ title: String, _ main: Markup, _ directory: Directory?, status: Int = 200) -> WebResponse {
            let isSearch = request.path == "/" || request.path == "/search"
            return pages.page(
                title,
                form: pages.form(isSearch ? parameters : nil, directory),
                credits: directory?.credits ?? [],
                main: main,
                status: status
            )
        }
    }

    private func enter(_ token: String, _ request: WebRequest) -> WebResponse {
        let rest = request.query.split(separator: "&").filter { !$0.hasPrefix("token=") }.joined(separator: "&")
        // A browser interprets a path that begins with two slashes as another host.
        let path = "/" + request.path.drop { $0 == "/" }
        var response = WebResponse.redirect(to: rest.isEmpty ? path : "\(path)?\(rest)")
        if access.token != nil { response.fields.append(("Set-Cookie", access.cookieField(token))) }
        return response
    }

    private static func asset(_ type: String, _ bytes: [UInt8]) -> WebResponse {
        var response = WebResponse(200, type, bytes)
        response.cacheControl = "no-cache"
        return response
    }

    private static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g fill="none" stroke="#27c" stroke-width="2">\
        <circle cx="6.5" cy="6.5" r="4.5"/><path d="m10 10 5 5"/></g></svg>
        """

    private func known() async throws(ClientError) -> Directory {
        if let directory, loop.now < directory.at.advanced(by: Self.directoryAge) { return directory.value }
        directory?.at = loop.now
        let value = Directory(try await link.call(.sourceList))
        directory = (value, loop.now)
        return value
    }

    private static func status(of error: ClientError) -> Int {
        if error.code == .noDaemon || error.code == .connectionLost { return 503 }
        return switch SearchError.Kind(rawValue: error.code.rawValue) {
        case .invalidParams, .invalidRequest, .unknownSource: 400
        case .forbidden: 403
        case .notFound: 404
        case .rateLimited, .quotaExhausted: 429
        case .unavailable, .badResponse, .notConfigured, .unauthorized: 502
        case .overloaded, .shuttingDown: 503
        case .timeout: 504
        default: 500
        }
    }

    private static func isOfSources(_ error: ClientError) -> Bool {
        [429, 502].contains(status(of: error)) || error.source != nil
    }

    private static func failure(_ error: ClientError, _ visit: Visit) -> WebResponse {
        var response = WebResponse.text(status(of: error), visit.pages.language.text(of: error))
        if [429, 503].contains(response.status) {
            let seconds = error.retryAfter.map { max(1, Int($0.milliseconds / 1000)) } ?? 1
            response.fields.append(("Retry-After", "\(seconds)"))
        }
        return response
    }

    private func search(_ visit: Visit) async -> WebResponse {
        let format = visit.parameters["format"] ?? "html"
        guard format != "html" else { return await page(of: visit) }
        guard ["json", "csv", "rss"].contains(format) else {
            let error = SearchRequest.mistake("format must be html, json, csv or rss", "params.format")
            return Self.failure(error, visit)
        }
        do throws(ClientError) {
            let request = try await self.request(of: visit)
            guard format == "json", let key = sharedKey(of: visit.request) else {
                return await answer(request, format, visit)
            }
            if joined[key] != nil { return await withCheckedContinuation { joined[key]?.append($0) } }
            joined[key] = []
            // This is a separate task, because the search must continue if the first client disconnects.
            let response = await Task(executorPreference: loop) { await self.answer(request, format, visit) }.value
            for waiter in joined.removeValue(forKey: key) ?? [] { waiter.resume(returning: response) }
            return response
        } catch {
            return Self.failure(error, visit)
        }
    }

    private func request(of visit: Visit) async throws(ClientError) -> SearchRequest {
        var request = try SearchRequest(visit.parameters, caller: visit.caller)
        let categories = visit.parameters.words("categories")
        let engines = visit.parameters.words("engines")
        guard visit.caller == .anyone || !categories.isEmpty || !engines.isEmpty else { return request }
        request.selection = try await known().selection(categories: categories, engines: engines, for: visit.caller)
        return request
    }

    private func answer(_ request: SearchRequest, _ format: String, _ visit: Visit) async -> WebResponse {
        let answer: SearxAnswer
        do throws(ClientError) {
            guard request.isReachable else {
                throw ClientError(.init(.notFound), "the page number is too large", source: "searchd")
            }
            let found = try await link.call(.search, request.params(.whole), within: request.patience)
            answer = SearxAnswer(request, found)
        } catch {
            guard Self.isOfSources(error), format == "json" else { return Self.failure(error, visit) }
            return WebResponse(200, "application/json", SearxAnswer.failed(request, error))
        }
        switch format {
        case "csv": return WebResponse(200, "text/csv; charset=utf-8", answer.csv)
        case "rss":
            let address = "http://\(visit.request.authority ?? "")/search?q=\(PercentEncoding.encode(request.query))"
            return WebResponse(200, "application/rss+xml; charset=utf-8", answer.rss(at: address))
        default:
            let json = answer.json
            if answer.isComplete, let key = sharedKey(of: visit.request) {
                recent.withLock { $0.keep(json, for: key, at: loop.now) }
            }
            return WebResponse(200, "application/json", json)
        }
    }

    private func page(of visit: Visit) async -> WebResponse {
        var directory = directory?.value
        do throws(ClientError) {
            directory = try await known()
            guard visit.parameters["q"] != nil else { return visit.page("", visit.pages.list(), directory) }
            let request = try await self.request(of: visit)
            let answer = try await link.call(.search, request.params(.enough), within: request.patience)
            let main = visit.pages.results(request, answer, next: Self.next(answer, "/search", visit.parameters))
            return visit.page(request.query, main, directory)
        } catch {
            var response = Self.page(of: error, visit, directory)
            // A browser loads the page again after five seconds, even without JavaScript.
            if response.status == 503 { response.fields.append(("Refresh", "5")) }
            return response
        }
    }

    private static func page(of error: ClientError, _ visit: Visit, _ directory: Directory?) -> WebResponse {
        visit.page("", visit.pages.list(status: visit.pages.status(of: error)), directory, status: status(of: error))
    }

    private static func next(_ answer: JSONCursor, _ path: String, _ parameters: WebParameters) -> String? {
        let kept = ["q", "categories", "engines", "sort", "since", "until", "site", "time_range", "tags", "kinds"]
        guard let cursor = answer[.next]?.string else { return nil }
        let words = kept.compactMap { name in parameters[name].map { "\(name)=\(PercentEncoding.encode($0))" } }
        return "\(path)?" + (words + ["cursor=\(PercentEncoding.encode(cursor))"]).joined(separator: "&")
    }

    private func stream(_ visit: Visit) async -> WebResponse {
        let request: SearchRequest
        do throws(ClientError) {
            request = try await self.request(of: visit)
        } catch {
            return Self.failure(error, visit)
        }
        // A search cancels the earlier search on its channel. Callers without the token have other channels, so they
        // cannot cancel the user's searches.
        let channel = visit.parameters["channel"].map { "\(visit.caller)-\($0.prefix(32))" }
        return WebResponse(streaming: "application/x-ndjson") { [link] send in
            do throws(ClientError) {
                let params = request.params(.stream(channel: channel))
                let answer = try await link.call(.search, params, within: request.patience) { name, params in
                    send(StreamLines.line(of: name, params, visit.pages))
                }
                send(StreamLines.end(answer, visit.pages, next: Self.next(answer, "/search", visit.parameters)))
            } catch {
                send(StreamLines.failure(error, visit.pages))
            }
        }
    }

    private func library(_ visit: Visit) async -> WebResponse {
        guard visit.caller == .user else {
            let text = visit.pages.language[.noToken]
            return visit.page(text, visit.pages.list(status: "\(text)"), directory?.value, status: 403)
        }
        do throws(ClientError) {
            if visit.request.method == .post { return try await changeLibrary(visit) }
            let parameters = visit.parameters
            let params = JSONWriter.bytes { writer in
                writer.member("query", parameters["q"])
                writer.member("sort", parameters["sort"])
                for name in ["tags", "kinds"] where parameters[name] != nil {
                    writer.member(name, JSONValue.array(parameters.words(name).map(JSONValue.string)))
                }
                writer.member("cursor", parameters["cursor"])
                writer.member("limit", 50)
            }
            let answer = try await link.call(.libraryList, params)
            let next = Self.next(answer, "/library", parameters)
            let main = visit.pages.library(parameters, answer, next: next)
            return visit.page(visit.pages.language[.library], main, try await known())
        } catch {
            return visit.isOfScript ? Self.failure(error, visit) : Self.page(of: error, visit, directory?.value)
        }
    }

    /// The script gets the item as HTML.
    ///
    /// A browser without JavaScript is redirected.
    private func changeLibrary(_ visit: Visit) async throws(ClientError) -> WebResponse {
        let parameters = visit.parameters
        var item: JSONCursor?
        var isSaved = true
        switch parameters["do"] {
        case "remove":
            item = try await change(.libraryRemove) { $0.member("ids", .array([.string(parameters["id"] ?? "")])) }
            isSaved = false
        case "restore":
            guard let text = parameters["items"], let items = try? JSONDocument(Array(text.utf8)).root else {
                throw ClientError(.init(.invalidParams), "items must be JSON")
            }
            item = try await change(.librarySave) { $0.member(.items, raw: items.text) }
        case "write": item = try await write(parameters)
        default: item = try await save(parameters)
        }
        if visit.isOfScript, let item {
            let hit = visit.pages.hit(FoundHit(item), isSaved: isSaved, removed: isSaved ? nil : item)
            return WebResponse(200, "text/html; charset=utf-8", Array(hit.text.utf8))
        }
        let origin = visit.request[.referer].map { URLParts($0) }
        guard let origin, origin.authority == visit.request.authority else { return .redirect(to: "/library") }
        let path = "/" + origin.path.drop { $0 == "/" }
        return .redirect(to: origin.query.isEmpty ? path : "\(path)?\(origin.query)")
    }

    private func save(_ parameters: WebParameters) async throws(ClientError) -> JSONCursor? {
        try await change(.librarySave) { $0.member("id", parameters["id"] ?? "") }
    }

    private func change(_ method: MethodName, _ members: (inout JSONWriter) -> Void) async throws(ClientError)
        -> JSONCursor?
    {
        try await link.call(method, JSONWriter.bytes(ofObject: members))[.items]?[0]
    }

    private func write(_ parameters: WebParameters) async throws(ClientError) -> JSONCursor? {
        var item = try await save(parameters)
        let id = parameters["id"] ?? ""
        func tags(_ name: String) -> [String] {
            (parameters[name] ?? "").split(separator: ",").map { String($0.trimmed.drop { $0 == "#" }) }
                .filter { !$0.isEmpty }
        }
        let (old, new) = (tags("had"), tags("tags"))
        let (added, removed) = (new.filter { !old.contains($0) }, old.filter { !new.contains($0) })
        if !added.isEmpty || !removed.isEmpty {
            item = try await change(.libraryTag) { writer in
                writer.member("ids", .array([.string(id)]))
                writer.member("add", .array(added.map(JSONValue.string)))
                writer.member("remove", .array(removed.map(JSONValue.string)))
            }
        }
        let rating = parameters["rating"].flatMap { Int($0) }
        guard parameters["note"] != nil || rating != nil else { return item }
        return try await change(.libraryNote) { writer in
            writer.member("id", id)
            writer.name("note")
            writer.object { writer in
                writer.member("text", parameters["note"])
                writer.member("rating", rating)
            }
        }
    }

    /// Throws `forbidden` if the request has neither the token nor a valid signature.
    private func address(_ visit: Visit) throws(ClientError) -> String {
        guard let url = visit.parameters["url"] else {
            throw SearchRequest.mistake("the parameter url is missing", "params.url")
        }
        guard visit.caller == .user || signer.isValid(visit.parameters["sig"], of: url) else {
            let hint = "Without the token, only links on the pages of this server can be fetched."
            throw ClientError(.init(.forbidden), "this address may not be fetched", hint: hint)
        }
        return url
    }

    private func image(_ visit: Visit) async -> WebResponse {
        do throws(ClientError) {
            let url = try address(visit)
            let answer = try await bulkLink.call(.image, JSONWriter.bytes { $0.member("url", url) })
            let type = answer["type"]?.string ?? ""
            guard Self.pictureTypes.contains(type), let data = answer[.data], let bytes = await Self.bytes(of: data)
            else {
                throw ClientError(.init(.badResponse), "the response is not a picture")
            }
            var response = WebResponse(200, type, bytes)
            response.cacheControl = "private, max-age=86400"
            return response
        } catch {
            return Self.failure(error, visit)
        }
    }

    @concurrent private static func bytes(of data: JSONCursor) async -> [UInt8]? {
        data.string.flatMap(Base64.bytes)
    }

    private func read(_ visit: Visit) async -> WebResponse {
        do throws(ClientError) {
            var walk = PageVisit(try address(visit))
            while let next = walk.next {
                do throws(ClientError) {
                    walk.add(try await document(at: next))
                } catch {
                    try walk.end(error)
                }
            }
            let document = walk.document ?? PageDocument()
            return visit.page(document.title ?? "", visit.pages.reader(document), directory?.value)
        } catch {
            return Self.page(of: error, visit, directory?.value)
        }
    }

    /// Runs one reader process at a time, because a process can use 128 MiB.
    private func document(at url: String) async throws(ClientError) -> PageDocument {
        guard readingCount < Self.readingsMax else {
            throw ClientError(.init(.overloaded), "too many pages are being read", hint: "Try again in a second.")
        }
        readingCount += 1
        defer { readingCount -= 1 }
        let page = try await bulkLink.call(.page, JSONWriter.bytes { $0.member("url", url) })
        let task = Task { [lastReading] in
            await lastReading?.value
            return await Self.read(page)
        }
        lastReading = Task { _ = await task.value }
        return try await task.value.get()
    }

    @concurrent private static func read(_ page: JSONCursor) async -> Result<PageDocument, ClientError> {
        Result { () throws(ClientError) in try PageReading(.process).document(of: page) }
    }

    /// Without the token, there are no completions, because they come from the user's own data.
    private func complete(_ visit: Visit) async -> WebResponse {
        let prefix = visit.parameters["q"] ?? ""
        var words: [String] = []
        if visit.caller == .user, !prefix.isEmpty {
            let params = JSONWriter.bytes { $0.member("prefix", prefix) }
            let answer = try? await link.call(.suggest, params, within: .seconds(2))
            words = (answer?[.suggestions]?.elements ?? []).compactMap { $0["text"]?.string }
        }
        let texts = JSONValue.array(words.map(JSONValue.string))
        if visit.isOfScript { return WebResponse(200, "application/json", texts.bytes) }
        // Without these numbers, Chromium shows only three completions.
        let relevances = words.indices.map { JSONValue.number(JSONNumber(600 - $0)) }
        let answer: JSONValue = [.string(prefix), texts, [], [], ["google:suggestrelevance": .array(relevances)]]
        return WebResponse(200, "application/x-suggestions+json", answer.bytes)
    }

    private func configuration(_ visit: Visit) async -> WebResponse {
        do throws(ClientError) {
            let directory = try await known()
            let sources = directory.sources(for: visit.caller)
            let engines = sources.map { source -> JSONValue in
                let groups = directory.profiles.filter { $0.sources.contains(source.name) }.map {
                    String($0.name.dropFirst())
                }
                let categories = [source.kind] + groups.filter { $0 != source.kind }
                return [
                    "name": .string(source.name), "categories": .array(categories.map(JSONValue.string)),
                    "shortcut": .string(source.name), "enabled": .bool(source.isEnabled), "paging": true,
                    "safesearch": false, "time_range_support": true, "timeout": 10.0,
                    "language_support": false, "languages": [], "regions": [],
                ]
            }
            let profiles = directory.profiles.map { String($0.name.dropFirst()) }
            let kinds = directory.kinds
            let names = kinds + profiles.filter { !kinds.contains($0) }
            let answer: JSONValue = [
                "categories": .array(names.map(JSONValue.string)), "engines": .array(engines),
                "instance_name": "searchd", "version": .string(Version.program), "autocomplete": "",
                "default_locale": "", "default_theme": "simple", "locales": ["en": "English", "ko": "한국어"],
                "plugins": [], "safe_search": 0, "public_instance": false,
            ]
            return WebResponse(200, "application/json", answer.bytes)
        } catch {
            return Self.failure(error, visit)
        }
    }

    private func openSearch(_ visit: Visit) -> WebResponse {
        let base = "http://\(visit.request.authority ?? "")"
        let text: Markup = """
            <?xml version="1.0" encoding="UTF-8"?>
            <OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
            <ShortName>searchd</ShortName><Description>One search service for this machine</Description>
            <InputEncoding>UTF-8</InputEncoding><Image width="16" height="16" type="image/svg+xml">\(base)/icon.svg</Image>
            <Url type="text/html" method="get" template="\(base)/search?q={searchTerms}"/>
            <Url type="application/rss+xml" method="get" template="\(base)/search?q={searchTerms}&amp;format=rss"/>
            <Url type="application/x-suggestions+json" method="get" template="\(base)/autocompleter?q={searchTerms}"/>
            <Url type="application/opensearchdescription+xml" rel="self" template="\(base)/opensearch.xml"/>
            </OpenSearchDescription>

            """
        return WebResponse(200, "application/opensearchdescription+xml; charset=utf-8", Array(text.text.utf8))
    }
}
