import HTTP
import SearchModel
import Testing

@testable import Catalogue

struct BuiltInTests {
    @Test(arguments: BuiltInFiles.all.map(\.name))
    func `a built-in file loads`(_ name: String) throws {
        var catalogue = Catalogue()
        for file in BuiltInFiles.all {
            do throws(CatalogueMistakes) {
                try catalogue.add(file: file.name, bytes: file.bytes, trust: .builtIn)
            } catch {
                if file.name == name { Issue.record("\(error.all)") }
            }
            if file.name == name { break }
        }
    }

    @Test func `every built-in source has a complete URL for each sort order`() throws {
        for source in builtIn.sources.values {
            var account = AccountAccess()
            for slot in source.shared.secrets { account.secrets[slot.name] = Secret("s") }
            if source.shared.needsAddress { account.baseURL = source.shared.access.first?.base }
            for sort in Sort.allCases {
                let request = try source.request(for: pageRequest("고양이", sort), account: account)
                #expect(request.url.hasPrefix(try #require(source.shared.access.first).base + "/"))
                #expect(!request.url.contains("{"))
            }
            #expect(source.attribution != nil)
            #expect(source.keyless == source.shared.access.contains { $0.secrets.isEmpty })
        }
    }
}
