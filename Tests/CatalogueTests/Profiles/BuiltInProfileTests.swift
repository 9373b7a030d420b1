import SearchModel
import Testing

@testable import Catalogue

struct BuiltInProfileTests {
    private let profiles = Profile.builtIn()

    @Test func `the common profiles exist and have descriptions`() {
        let names = profiles.map(\.name)
        #expect(names == names.sorted())
        let common = [
            "@default", "@web", "@books", "@media", "@code", "@news", "@apps", "@images", "@papers", "@shopping",
        ]
        #expect(Set(names).isSuperset(of: common))
        #expect(profiles.allSatisfy { $0.about?.isEmpty == false })
    }

    @Test func `every entry of a profile selects an existing source`() {
        let names = Set(profiles.map(\.name))
        for profile in profiles {
            for selector in profile.entries.flatMap(\.alternatives) {
                switch selector {
                case .source(let name): #expect(builtIn[name] != nil, "\(profile.name): \(name)")
                case .profile(let name): #expect(names.contains(name), "\(profile.name): \(name)")
                case .edition(let text):
                    for language in ["ko", "ja", "en"] {
                        let name = SourceSelector.edition(text, language)
                        #expect(name.flatMap { builtIn[$0] } != nil, "\(profile.name): \(text) in \(language)")
                    }
                case .account("feed"): break
                case .glob, .account: Issue.record("\(profile.name) would include new sources automatically")
                }
            }
        }
    }

    @Test func `the default profile has few sources, and at most two per account`() throws {
        let standard = try #require(profiles.first { $0.name == Profile.standard })
        #expect(standard.entries.count <= 8)
        let accounts = standard.entries.compactMap(\.alternatives.first).map { $0.text.prefix { $0 != "." } }
        for (account, count) in Dictionary(accounts.map { ($0, 1) }, uniquingKeysWith: +) {
            #expect(count <= 2, "\(account)")
        }
    }
}
