import Catalogue
import Engine
import EventLoop
import HTTPMessage
import SearchModel

/// Pages of one source from the sandbox, to be decoded repeatedly.
struct DecodingCase {
    /// Several pages take turns, so that the result does not depend on one.
    static let pages = 4

    let source: Source
    private let access: AccountAccess
    private let answers: [(request: PageRequest, response: HTTPResponse)]
    let bodyBytes: Int
    /// Of all pages together.
    let hits: Int

    /// Fetches the pages over HTTP and decodes each once.
    init(_ source: Source, _ sandbox: SandboxServer) throws(BenchmarkError) {
        guard let access = sandbox.accounts[source.account] else {
            throw BenchmarkError(.program, "the sandbox does not imitate \(source.account)")
        }
        var answers: [(request: PageRequest, response: HTTPResponse)] = []
        var hits = 0
        for index in 0..<Self.pages {
            // One word: of two of them some sources know little.
            guard let query = SearchQuery(SearchRequests.longThing(index)) else { continue }
            let request = PageRequest(query: query)
            do {
                let response = try sandbox.response(to: source.request(for: request, account: access))
                let page = try source.page(from: response, for: request, account: access, keepRaw: true)
                answers.append((request, response))
                hits += page.hits.count
            } catch let error as SearchError {
                throw BenchmarkError(.answer, "\(source.name): \(error.message)", hint: error.hint)
            } catch {
                throw BenchmarkError(.answer, "\(source.name): the sandbox can't be asked")
            }
        }
        self.source = source
        self.access = access
        self.answers = answers
        self.hits = hits
        bodyBytes = answers.reduce(0) { $0 + $1.response.body.count }
    }

    var hitsPerPage: Double { Double(hits) / Double(Self.pages) }
    var bodyBytesPerPage: Double { Double(bodyBytes) / Double(Self.pages) }

    /// The processor time that a page takes on its way from the source's bytes into the cache, in nanoseconds.
    struct Cost {
        /// From the bytes of the answer to mapped hits.
        let decoding: Int64
        /// From mapped hits to the bytes that the cache keeps.
        let serialising: Int64
    }

    /// Decodes one page and serialises it for the cache, as a miss does, on this thread.
    func decode(_ turn: Int) throws(BenchmarkError) -> Cost {
        let (request, response) = answers[turn % answers.count]
        let start = SystemCall.threadTime
        let page: Page
        do throws(SearchError) {
            page = try source.page(from: response, for: request, account: access, keepRaw: true)
        } catch {
            throw BenchmarkError(.answer, "\(source.name): \(error.message)")
        }
        let decoded = SystemCall.threadTime
        let kept = CachedPage(
            page,
            key: PageKey(source: source.name, request: request),
            fetchedAt: Instant(nanoseconds: start),
            freshUntil: Instant(nanoseconds: start)
        )
        let serialised = SystemCall.threadTime
        guard kept.entries.count == page.hits.count else {
            throw BenchmarkError(.answer, "\(source.name): hits were lost on the way into the cache")
        }
        return Cost(decoding: decoded - start, serialising: serialised - decoded)
    }
}
