import HTTP
import SearchModel
import Testing

@testable import Catalogue

struct BillTests {
    private func source(_ terms: String) throws -> Source {
        let quotas = "quotas: [{ name: \"m\", limit: \"5.00 USD\", per: \"month\", cost: \"0.02 USD\", \(terms) }],"
        let text = LoadErrorTests.good.replacing("kind: \"book\",", with: "kind: \"book\", \(quotas)")
        return try #require(LoadErrorTests.load(text).sources.values.first)
    }

    private func bill(_ terms: String, _ body: String, fields: [(String, String)] = [], status: Int = 200) throws
        -> Bill
    {
        let source = try source(terms)
        let response = HTTPResponse(status: status, fields: HTTPFields(fields), body: Array(body.utf8))
        let request = PageRequest(query: try #require(SearchQuery("x")))
        let page = Result { () throws(SearchError) in
            try source.page(from: response, for: request, account: AccountAccess())
        }
        return try source.bill(for: response, page, quotas: source.quotas)
    }

    private static let member = "price: { member: \"cost.total\", currency: \"cost.in\" }"
    private static let hit = "\"items\":[{\"id\":1,\"name\":\"a\",\"link\":\"https://a.example/\"}],\"count\":1"

    @Test(
        arguments: [
            ("0.007", 7_000), ("7e-3", 7_000), ("0.0069999999", 7_000), ("0", 0), ("1", 1_000_000),
            ("\"0.5 USD\"", 500_000),
            ("-0.01", nil), ("\"-0\"", nil), ("1e9", nil), ("1e99", nil), ("null", nil), ("{}", nil), ("\"EUR\"", nil),
            ("\"0.01 EUR\"", nil), ("true", nil), ("\"NaN\"", nil), ("\"0.01 USD USD\"", nil), ("\"\"", nil),
        ] as [(String, Int?)]
    )
    func `a valid price is rounded up to a millionth, and other values are refused`(_ price: String, _ cost: Int?)
        throws
    {
        let body = "{\(Self.hit),\"cost\":{\"total\":\(price),\"in\":\"USD\"}}"
        guard let cost else {
            let error = #expect(throws: SearchError.self) { try bill(Self.member, body) }
            #expect(error?.kind == .badResponse && error?.message.contains("its price is") == true)
            return
        }
        #expect(try bill(Self.member, body).costs["m"] == cost)
    }

    @Test func `a price in another currency or without a currency is refused`() throws {
        for currency in ["\"EUR\"", "null"] {
            let body = "{\(Self.hit),\"cost\":{\"total\":0.01,\"in\":\(currency)}}"
            #expect(throws: SearchError.self) { try bill(Self.member, body) }
        }
    }

    @Test func `a call that the source file declares to be free is not charged`() throws {
        let free = "free: [\"failed\", \"empty\", { header: \"X-Type\", is: \"Cached\" }]"
        #expect(try bill(free, "{\(Self.hit)}").costs == [:])
        #expect(try bill(free, "{\"items\":[],\"count\":0}").costs == ["m": 0])
        #expect(try bill(free, "{}", status: 500).costs == ["m": 0])
        #expect(try bill(free, "{\(Self.hit)}", fields: [("x-type", "Cached")]).costs == ["m": 0])
        // The source may have charged for a response that the daemon cannot read.
        #expect(try bill(free, "<html>").costs == [:])
        #expect(try bill("free: \"empty\"", "{}", status: 500).costs == [:])
        #expect(try bill(Self.member, "{}", status: 500).costs == [:])
    }

    @Test func `the price and the remaining quota in headers are multiplied by the price of a unit`() throws {
        let terms = """
            price: { header: "X-Credits", each: "0.008 USD" },
            left: { header: "X-Left", item: 2, each: "0.005 USD", limit: "X-Limit" }
            """
        let fields = [("X-Credits", "2"), ("X-Left", "1, 150"), ("X-Limit", "1, 2000")]
        let bill = try bill(terms, "{\(Self.hit)}", fields: fields)
        #expect(bill.costs == ["m": 16_000])
        #expect(bill.left == ["m": 750_000])
        let unlimited = [("X-Credits", "1"), ("X-Left", "1, 0"), ("X-Limit", "50, 0")]
        #expect(try self.bill(terms, "{\(Self.hit)}", fields: unlimited).left == [:])
        #expect(try self.bill(terms, "{\(Self.hit)}", fields: [("X-Credits", "1")]).left == [:])
    }

    @Test(arguments: [
        ("limit: 5", "is not in the unit of the limit"), ("limit: \"5.00\"", "Write a number of calls"),
        ("limit: \"5.0000001 USD\"", "Write a number of calls"), ("limit: \"5 usd\"", "Write a number of calls"),
        ("limit: \"5 EUR\"", "Write it like “5.00 EUR”."), ("cost: \"-1 USD\"", "Write a number of calls"),
    ])
    func `wrong amounts in a source file are refused with a hint`(_ part: String, _ expected: String) throws {
        let amounts = ["limit: \"5.00 USD\"", "cost: \"0.02 USD\""].map { $0.prefix(5) == part.prefix(5) ? part : $0 }
        let quotas = "quotas: [{ name: \"m\", per: \"month\", \(amounts.joined(separator: ", ")) }],"
        let text = LoadErrorTests.good.replacing("kind: \"book\",", with: "kind: \"book\", \(quotas)")
        let error = #expect(throws: CatalogueError.self) { try LoadErrorTests.load(text) }
        let told = [error?.message, error?.hint].compactMap(\.self).joined(separator: " ")
        #expect(told.contains(expected))
    }
}
