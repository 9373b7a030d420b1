import JSON

/// A named group of sources.
package struct Profile: Equatable, Sendable {
    /// A list of alternatives; the first alternative that can be searched is used.
    package struct Entry: Equatable, Sendable {
        package static let alternativesMax = 16

        package let alternatives: [SourceSelector]
        package let isForCode: Bool

        package init(_ alternatives: [SourceSelector], isForCode: Bool = false) {
            self.alternatives = alternatives
            self.isForCode = isForCode
        }
    }

    package static let standard = "@default"
    package static let countMax = 100
    package static let entriesMax = 64

    package let name: String
    package let about: String?
    package let entries: [Entry]

    package init(name: String, about: String? = nil, entries: [Entry]) {
        self.name = name
        self.about = about
        self.entries = entries
    }

    package static func builtIn() -> [Profile] {
        do {
            let file = Declared(try JSON5Reader.read(PackageResources.profiles_json5), Mistakes(in: "profiles.json5"))
            let profiles = try file.members().map { name, value in
                let (about, sources) = try parts(of: value)
                return try Profile(name: checked(name, value), about: about, entries: sources.map { try Entry($0) })
            }
            return profiles.sorted { $0.name < $1.name }
        } catch {
            fatalError("the built-in profiles are not valid: \(error)")
        }
    }

    package static func checked(_ name: String, _ value: Declared) throws(CatalogueError) -> String {
        guard case .profile = SourceSelector(name) else {
            throw value.error("is not a valid profile name", hint: "Use @ and a–z, 0–9, - and _, such as @work.")
        }
        return name
    }

    package static func parts(of value: Declared) throws(CatalogueError) -> (about: String?, sources: [Declared]) {
        var (about, list) = (String?.none, value)
        if value.node.members != nil {
            let object = try value.object(["about", "sources"])
            about = try object["about"]?.string("a few words")
            list = try object.required("sources")
        }
        let sources = try list.list()
        guard sources.count <= entriesMax else { throw list.error("has more than \(entriesMax) sources") }
        return (about, sources)
    }
}

extension Profile.Entry {
    /// Reads a selector, a list of selectors, or `{when: "code", sources: …}` with a selector or a list.
    package init(_ value: Declared) throws(CatalogueError) {
        var list = value
        let isForCode = value.node.members != nil
        if isForCode {
            let object = try value.object(["when", "sources"])
            try object.required("when").word([("code", ())])
            list = try object.required("sources")
        }
        let elements = try list.oneOrMore()
        guard elements.count <= Self.alternativesMax else {
            throw list.error("has more than \(Self.alternativesMax) alternatives")
        }
        self.init(try elements.map(Self.selector), isForCode: isForCode)
    }

    private static func selector(_ value: Declared) throws(CatalogueError) -> SourceSelector {
        let expected = "a source's name, a pattern such as kakao.*, an account or a profile such as @books"
        let text = try value.string(expected)
        guard let selector = SourceSelector(text) else {
            throw value.error("\(text) does not select a source", hint: "It must be \(expected).")
        }
        return selector
    }
}
