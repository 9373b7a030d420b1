import Engine
import EventLoop
import JSON
import Personal
import RPC
import SearchModel
import Upstream

/// The method `search`: sends one query to one or many sources, and merges or streams their hits.
struct SearchMethod {
    let federation: Federation
    let registry: CurrentSources
    let answers: AnswerCache
    let data: PersonalData
    let log: Log

    private static let callBytes = 2 << 10
    private static let hitBytes = 1 << 9

    var method: Method {
        Method(.search, capabilities: ["search", "stream", "batch"]) { [self] call, parameters throws(SearchError) in
            let user = data.searcher(of: call)
            let search = try SearchParameters(&parameters, registry.current, call.client, hasOwnData: user != nil)
            return try begin(search, call, user)
        }
    }

    private func begin(
        _ parameters: SearchParameters,
        _ call: Call,
        _ user: UserData?
    ) throws(SearchError) -> Beginning {
        log.searching(parameters.request)
        // An earlier answer is reused only if this search is not streamed and the user's saved ids are known.
        let isWhole = !parameters.isStreamed && user?.isLoaded != false
        let key = isWhole ? AnswerKey(parameters.request, viewer: Self.viewer(user, call)) : nil
        if let key, let finished = answers.answer(to: key) { return repeated(finished, parameters, call, user) }
        let (request, ready) = try completed(parameters.request, user)
        var search: OngoingSearch?
        if isWhole {
            let (begun, cached) = if let ready { ready } else { try begin(request) }
            if let cached { return answered(cached, parameters, call, user, key) }
            if (parameters.channel?.debounce ?? .zero) == .zero { search = begun }
        }
        var channel = parameters.channel
        if channel != nil, parameters.isStreamed, user?.isLoaded != false, try begin(request).1 != nil {
            channel?.mayCallSources = false
            channel?.debounce = nil
        }
        // To save memory, the task captures neither `self` nor the call.
        var kept = parameters
        kept.request = request
        return .running(
            channel: channel,
            streams: parameters.isStreamed,
            memory: request.sources.count * Self.callBytes + request.limit * Self.hitBytes
        ) { [federation, search, kept] stream throws(SearchError) in
            await user?.load()
            return try await Self.run(search, kept, stream, user, federation)
        }
    }

    private static func viewer(_ user: UserData?, _ call: Call) -> AnswerKey.LibraryVersion? {
        guard let user, user.hasSaved else { return nil }
        return AnswerKey.LibraryVersion(userID: call.session.peer.userID, revision: user.savedRevision)
    }

    private func repeated(
        _ answer: FinishedAnswer,
        _ parameters: SearchParameters,
        _ call: Call,
        _ user: UserData?
    ) -> Beginning {
        federation.onLoop { $0.countReuse(of: answer) }
        if parameters.isRecorded {
            user?.history.record(parameters.request, answer.hits, since: call.receivedAt, number: answer.number)
        }
        return Self.ended(.search(answer.template, startedAt: call.receivedAt), parameters)
    }

    private static func ended(_ reply: Reply, _ parameters: SearchParameters) -> Beginning {
        parameters.channel.map { .superseding(reply, channel: $0.name) } ?? .answered(reply)
    }

    /// Replaces a query that ends in an incomplete Korean syllable by a matching query whose hits are in memory.
    private func completed(
        _ request: SearchRequest,
        _ user: UserData?
    ) throws(SearchError) -> (SearchRequest, ready: (OngoingSearch, SearchAnswer?)?) {
        guard request.isUnfinished, let user else { return (request, nil) }
        for candidate in user.history.recent.candidates(for: request.query) {
            let becoming = request.becoming(candidate)
            let ready = try begin(becoming)
            if ready.1?.hits.isEmpty == false { return (becoming, ready) }
        }
        return (request, nil)
    }

    private func begin(_ request: SearchRequest) throws(SearchError) -> (OngoingSearch, SearchAnswer?) {
        try federation.onLoop { (federation) throws(SearchError) in
            let search = try federation.begin(request)
            return (search, try federation.cachedAnswer(of: search))
        }
    }

    private func answered(
        _ answer: SearchAnswer,
        _ parameters: SearchParameters,
        _ call: Call,
        _ user: UserData?,
        _ key: AnswerKey?
    ) -> Beginning {
        let request = parameters.request
        if parameters.isRecorded { user?.history.record(request, answer.hits, since: call.receivedAt) }
        let form = AnswerTemplate.Form.whole(raw: request.raw)
        if DidYouMean.isWanted(request, answer) {
            // A task finds the suggestions, because the user's data may not be in memory.
            var channel = parameters.channel
            channel?.mayCallSources = false
            return .running(channel: channel) { _ in
                let texts = await DidYouMean.texts(for: request, of: user)
                let template = AnswerTemplate(answer, form: form, repeats: true, didYouMean: texts)
                return .search(template, startedAt: call.receivedAt)
            }
        }
        let template = AnswerTemplate(answer, form: form, repeats: true, isSaved: user?.isSaved)
        if let key { answers.insert(answer, template, for: key) }
        return Self.ended(.search(template, startedAt: call.receivedAt), parameters)
    }

    private static func run(
        _ search: OngoingSearch?,
        _ parameters: SearchParameters,
        _ stream: RequestStream,
        _ user: UserData?,
        _ federation: Federation
    ) async throws(SearchError) -> Reply {
        let request = parameters.request
        let answer: SearchAnswer
        if let search {
            answer = try await federation.finish(search)
        } else {
            let observer = StreamObserver(
                stream: stream,
                raw: request.raw,
                requestsProgress: parameters.requestsProgress
            )
            answer = try await federation.search(request, observer: parameters.isStreamed ? observer : nil)
        }
        if parameters.isRecorded { user?.history.record(request, answer.hits, since: answer.startedAt) }
        assert(federation.loop.isCurrent, "a request's task must run on the event loop")
        let form: AnswerTemplate.Form = parameters.isStreamed ? .streamed : .whole(raw: request.raw)
        let texts = DidYouMean.isWanted(request, answer) ? await DidYouMean.texts(for: request, of: user) : []
        return .search(
            AnswerTemplate(answer, form: form, repeats: false, didYouMean: texts, isSaved: user?.isSaved),
            startedAt: answer.startedAt
        )
    }
}

private struct StreamObserver: SearchObserver {
    let stream: RequestStream
    let raw: Bool
    let requestsProgress: Bool

    func hits(_ hits: [HitPosition], from source: SourceName) async {
        let bytesMax = hits.reduce(256) { sum, hit in
            sum + hit.entry.range.count + (raw ? hit.entry.rawRange.count : 0) + 64
        }
        await stream.send(.hits, bytesMax: bytesMax) { writer, now in
            writer.member(.source, source.text)
            writer.array(.hits) { writer in
                for hit in hits { writer.hit(hit, withRaw: raw) }
            }
        }
    }

    func waiting(_ notice: WaitNotice, on source: SourceName) async {
        await stream.send(.source) { writer, _ in notice.write(of: source, to: &writer) }
    }

    func progress(answered: Int, asked: Int, waitingFor sources: [SourceName]) async {
        guard requestsProgress else { return }
        await stream.send(.progress) { writer, _ in
            writer.member(.answered, answered)
            writer.member(.asked, asked)
            writer.member(.waitingFor, sources.map(\.text))
        }
    }

    func source(_ report: SourceReport) async {
        await stream.send(.source) { writer, now in
            writer.members(of: report, at: now)
        }
    }
}
