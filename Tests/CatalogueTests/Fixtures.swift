import Catalogue
import HTTP
import JSON
import SearchModel
import Testing

let builtIn = Catalogue.builtIn()

func source(_ name: String) throws -> Source {
    try builtIn.source(named: #require(SourceName(name)))
}

func pageRequest(_ query: String, _ sort: Sort = .relevance, page: Int = 0, _ options: [Option] = []) throws
    -> PageRequest
{
    PageRequest(query: try #require(SearchQuery(query)), sort: sort, page: page, options: options)
}

func response(_ body: String, status: Int = 200, _ fields: [(String, String)] = []) -> HTTPResponse {
    HTTPResponse(status: status, fields: HTTPFields(fields), body: Array(body.utf8))
}

let kakaoAccess = AccountAccess(secrets: ["key": Secret("k4k40-rest-key-0123456789abcdef")])

func page(
    _ name: String,
    _ body: String,
    status: Int = 200,
    page: Int = 0,
    account: AccountAccess = AccountAccess(),
    keepRaw: Bool = false
) throws -> Page {
    let request = try pageRequest("cat", page: page)
    return try source(name).page(from: response(body, status: status), for: request, account: account, keepRaw: keepRaw)
}

func failure(
    _ name: String,
    _ body: String,
    status: Int,
    _ fields: [(String, String)] = [],
    account: AccountAccess = AccountAccess()
) throws -> SearchError {
    let request = try pageRequest("cat")
    let source = try source(name)
    return try #require(throws: SearchError.self) {
        try source.page(from: response(body, status: status, fields), for: request, account: account)
    }
}

extension Hit {
    func extra(_ name: String) -> JSONValue? { extra.first { $0.name == name }?.value }
}
