import Engine
import EventLoop
import JSON
import Personal
import RPC
import SearchModel
import Upstream

/// One query to one or many sources, merged or streamed.
struct SearchMethod: Method {
    let description = MethodDescription.search
    let capabilities = ["search", "stream", "batch"]
    let federation: Federation
    let directory: DirectoryBox
    let answers: AnswerCache
    let data: PersonalData
    let log: Log

    private static let callBytes = 2 << 10
    private static let hitBytes = 1 << 9

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = data.searcher(of: call)
        let parameters = try SearchParameters(
            call.params,
            directory: directory.current,
            client: call.client,
            hasOwnData: user != nil
        )
        log.searching(parameters.request)
        // What is streamed has no answer of its own, and until it is known what a user has saved, none is right.
        let isWhole = !parameters.isStreamed && user?.isLoaded != false
        let key = isWhole ? AnswerKey(parameters.request, viewer: Self.viewer(user, call)) : nil
        if let key, let finished = answers.answer(to: key) { return again(finished, parameters, call, user) }
        let (request, ready) = try completed(parameters.request, user)
        var search: OngoingSearch?
        if isWhole {
            let (begun, cached) = if let ready { ready } else { try begin(request) }
            if let cached { return answered(cached, parameters, call, user, key) }
            // A debounced search begins after its wait.
            if (parameters.channel?.debounce ?? .zero) == .zero { search = begun }
        }
        // The request is kept once, and of this method nothing else: both are large, and many may be in flight.
        var kept = parameters
        kept.request = request
        return .running(
            channel: try claim(parameters, request, call.params, user),
            streams: parameters.isStreamed,
            memory: Self.memory(of: request)
        ) { [federation, search, kept] stream throws(SearchError) in
            await user?.load()
            return try await Self.run(search, kept, Self.observer(of: kept, stream), user, federation)
        }
    }

    /// Whose marks an answer shows; nil when it shows none.
    private static func viewer(_ user: UserData?, _ call: Call) -> AnswerKey.Viewer? {
        guard let user, user.hasSaved else { return nil }
        return AnswerKey.Viewer(userID: call.session.peer.userID, revision: user.savedRevision)
    }

    /// A finished answer, given again.
    private func again(
        _ answer: FinishedAnswer,
        _ parameters: SearchParameters,
        _ call: Call,
        _ user: UserData?
    ) -> Beginning {
        // The federation lives on this loop, and a method begins on it.
        federation.onLoop { $0.gave(answer) }
        if parameters.isRecorded {
            user?.history.record(parameters.request, answer.hits, since: call.receivedAt, number: answer.number)
        }
        return Self.ended(.search(answer.template, startedAt: call.receivedAt), parameters)
    }

    private static func ended(_ reply: Reply, _ parameters: SearchParameters) -> Beginning {
        parameters.channel.map { .superseding(reply, channel: $0.name) } ?? .answered(reply)
    }

    /// The channel of a search that runs; a stream of what is in memory costs nothing, and holds still for nothing.
    private func claim(
        _ parameters: SearchParameters,
        _ request: SearchRequest,
        _ params: JSONCursor?,
        _ user: UserData?
    ) throws(SearchError) -> ChannelClaim? {
        guard var claim = parameters.claim(params) else { return nil }
        if parameters.isStreamed, user?.isLoaded != false, try begin(request).1 != nil {
            claim.mayCost = false
            claim.debounce = nil
        }
        return claim
    }

    /// An unfinished query as the first of those it may become of which hits are in memory, with its answer; else as it
    /// is.
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

    /// Begins a search, with its answer if that is in memory.
    private func begin(_ request: SearchRequest) throws(SearchError) -> (OngoingSearch, SearchAnswer?) {
        // The federation lives on this loop, and a method begins on it.
        try federation.onLoop { (federation) throws(SearchError) in
            let search = try federation.begin(request)
            return (search, try federation.cachedAnswer(of: search))
        }
    }

    /// About what a search holds while it runs, beside pages, which the cache counts.
    private static func memory(of request: SearchRequest) -> Int {
        request.sources.count * callBytes + request.limit * hitBytes
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
            // It depends on what the user has, and may have to be read.
            var channel = parameters.channel
            channel?.mayCost = false
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

    /// Reports a running search as a stream; nil if the search does not stream.
    private static func observer(
        of parameters: SearchParameters,
        _ stream: RequestStream
    ) -> (any SearchObserver)? {
        guard parameters.isStreamed else { return nil }
        return StreamObserver(
            stream: stream,
            raw: parameters.request.raw,
            tellsProgress: parameters.tellsProgress
        )
    }

    /// Runs a search that has begun, or from its beginning.
    private static func run(
        _ search: OngoingSearch?,
        _ parameters: SearchParameters,
        _ observer: (any SearchObserver)?,
        _ user: UserData?,
        _ federation: Federation
    ) async throws(SearchError) -> Reply {
        let answer =
            if let search {
                try await federation.finish(search)
            } else {
                try await federation.search(parameters.request, observer: observer)
            }
        let request = parameters.request
        if parameters.isRecorded {
            user?.history.record(request, answer.hits, since: answer.startedAt)
        }
        assert(federation.loop.isCurrent, "the task of a request prefers the loop")
        let form: AnswerTemplate.Form = parameters.isStreamed ? .streamed : .whole(raw: request.raw)
        let texts =
            DidYouMean.isWanted(request, answer)
            ? await DidYouMean.texts(for: request, of: user) : []
        return .search(
            AnswerTemplate(answer, form: form, repeats: false, didYouMean: texts, isSaved: user?.isSaved),
            startedAt: answer.startedAt
        )
    }
}

/// Tells a search's progress as notifications of its request.
struct StreamObserver: SearchObserver {
    let stream: RequestStream
    let raw: Bool
    let tellsProgress: Bool

    func hits(_ hits: [HitPosition], from source: SourceName) async {
        await stream.tell(.hits(hits, from: source, raw: raw))
    }

    func waiting(_ notice: WaitNotice, on source: SourceName) async {
        await stream.tell(.waiting(notice, on: source))
    }

    func progress(answered: Int, asked: Int, waitingFor out: [SourceName]) async {
        guard tellsProgress else { return }
        await stream.tell(.progress(answered: answered, asked: asked, waitingFor: out))
    }

    func source(_ report: SourceReport) async {
        await stream.tell(.source(report))
    }
}
