import SearchModel

/// `searchctl open N…`: hits of the last search in the browser.
enum OpenCommand {
    static let hitsMax = 20

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let search = try LastSearchStore.load(context)
        var targets: [String] = []
        for word in arguments.words {
            let hit = FoundHit(try search.hit(word))
            guard let target = hit.url.flatMap(Style.linkTarget) else {
                throw ClientError(
                    .init(.notFound),
                    "“\(word)” has no web address",
                    hint: "“searchctl show \(word)” tells what it has"
                )
            }
            targets.append(target)
        }
        let browser = try Browser(context.environment)
        for target in targets { try browser.open(target) }
        return .found
    }
}
