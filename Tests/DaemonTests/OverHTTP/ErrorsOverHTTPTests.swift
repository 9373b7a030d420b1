import Catalogue
import RPC
import SearchModel
import Testing

@testable import Sandbox

@Suite struct ErrorsOverHTTPTests {
    @Test(arguments: API.all.map(\.name))
    func `every fault of the mock server has an expected error`(name: String) throws {
        let rows = try #require(ErrorRow.tables[name]).map(\.fault)
        let api = try #require(API.all.first { $0.name == name })
        #expect(Set(rows) == Set(api.errors.keys) && Set(rows).count == rows.count)
    }

    @Test func `every source has a table of expected errors`() {
        for source in builtInSources { #expect(ErrorRow.tables[source.account] != nil, "\(source.name)") }
        // Other tests cover these faults.
        let others = ["delay", "hang", "stall", "drip", "hugeBody", "padded", "echo", "echoEncoded"]
        #expect(Set(ErrorRow.general.map(\.fault) + others) == Set(GeneralFault.allCases.map(\.rawValue)))
    }

    /// One source of each account, because all sources of an account have the same errors.
    private static let names = Dictionary(grouping: builtInSources, by: \.account).values.map { $0[0].name.text }
        .sorted()

    @Test(arguments: names + ["naver.blog over the hub"])
    func `each fault is reported as the expected error`(case: String) async throws {
        let (name, isHub) = (String(`case`.split(separator: " ")[0]), `case`.contains("the hub"))
        try await withSources(isHub: isHub) { sources in
            let source = try sources.source(name)
            let table = isHub ? "naverhub" : source.account
            for row in try #require(ErrorRow.tables[table]) + ErrorRow.general {
                await sources.fault(FaultRule(source: name, name: row.fault))
                try await check(row, name, sources)
            }
        }
    }

    private func check(_ row: ErrorRow, _ name: String, _ sources: SourcesOverHTTP) async throws {
        let message: Comment = "\(name) \(row.fault)"
        guard let kind = row.kind else {
            let page = try await sources.page(name, "바이올린 연습", page: 1)
            #expect(page.hits.isEmpty && page.isEnd, message)
            return
        }
        guard let error = try await sources.failure(name) else {
            Issue.record("\(name) \(row.fault) did not fail")
            return
        }
        #expect(error.kind.rawValue == kind, "\(name) \(row.fault): \(error.message)")
        #expect(ErrorCode.number(of: error.kind) == row.code, message)
        #expect(error.source?.text == name, message)
        #expect(error.retryable == row.retryable, message)
        #expect(error.retryAfter == row.retryAfter.map { .seconds($0) }, message)
        #expect(error.resetsAt == row.resetsAt, message)
        #expect(error.hint?.isEmpty == false, message)
        if let hint = row.hint {
            #expect(error.hint?.contains(hint) == true, "\(name) \(row.fault): \(error.hint ?? "")")
        }
        #expect(!error.message.contains("바이올린 연습"), message)
    }
}
