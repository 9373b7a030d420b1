import HTTP

extension Upstream {
    /// What the imitated company answers.
    func answer(_ call: Call, in world: inout World) -> HTTPResponse {
        switch self {
        case .kakao: KakaoSearch.answer(call, in: &world)
        case .naver, .naverhub: NaverSearch.answer(call, in: &world)
        case .google: GoogleSearch.answer(call, in: &world)
        case .itunes: ITunesSearch.answer(call, in: &world)
        case .wikipedia: WikipediaSearch.answer(call, in: &world)
        case .openlibrary: OpenLibrarySearch.answer(call, in: &world)
        case .hackernews: HackerNewsSearch.answer(call, in: &world)
        }
    }
}

extension Endpoint {
    /// The source that a call belongs to, by searchd's names; `….unknown` when the upstream has no such search.
    func source(_ parameters: Parameters) -> String {
        switch upstream {
        case .kakao: KakaoSearch.kind(of: path)?.source ?? "kakao.unknown"
        case .naver, .naverhub: NaverSearch.source(of: path)
        case .google: path.hasPrefix(GoogleSearch.listPath) ? "google.books" : "google.unknown"
        case .itunes: ITunesSearch.source(path, parameters)
        case .wikipedia: "wikipedia.\(language)"
        case .openlibrary: "openlibrary.books"
        case .hackernews: "hackernews.stories"
        }
    }
}
