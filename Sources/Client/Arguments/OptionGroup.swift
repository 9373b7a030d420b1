/// Options that the help of a command lists together.
struct OptionGroup {
    let title: String
    let options: [CommandOption]

    /// Fewer options than these need no groups.
    private static let groupedMin = 10

    /// The groups of a command's options, by what a user wants to say; those of no group come last.
    static func groups(of options: [CommandOption]) -> [OptionGroup] {
        guard !options.isEmpty else { return [] }
        guard options.count >= groupedMin else { return [OptionGroup(title: "Options", options: options)] }
        let named = titles.map { title, names in
            OptionGroup(title: title, options: options.filter { names.contains($0.name) })
        }
        let known = Set(titles.flatMap(\.value))
        let others = OptionGroup(title: "Other", options: options.filter { !known.contains($0.name) })
        return (named + [others]).filter { !$0.options.isEmpty }
    }

    private static let titles: KeyValuePairs<String, [String]> = [
        "What to search": ["query", "source", "kind", "tag", "option"],
        "Which hits": ["limit", "page", "offset", "all", "sort", "since", "until", "site", "has"],
        "How fresh, how long": ["fresh", "max-age", "offline", "timeout", "typing"],
        "How to print": [
            "group-by", "long", "json", "plain", "format", "field", "raw", "stream", "no-pager",
            "quiet",
        ],
    ]
}
