/// Detects parts of a page that are not its main text, such as navigation and comments.
struct Boilerplate {
    private static let boilerplateTags: Set<Tag> = [.nav, .aside, .footer]
    private static let boilerplateRoles: Set<String> = [
        "navigation", "banner", "complementary", "contentinfo", "search", "dialog", "alertdialog", "menu", "menubar",
        "toolbar", "tablist",
    ]
    private static let boilerplateWords: Set<String> = [
        "nav", "navbar", "navi", "navigation", "gnb", "lnb", "snb", "menu", "menubar", "submenu", "breadcrumb",
        "breadcrumbs", "crumbs", "sidebar", "side", "aside", "rail", "footer", "foot", "masthead", "share",
        "sharing", "sharer", "social", "sns", "follow", "related", "relation", "recommend", "recommended",
        "recommendation", "recommendations", "popular", "trending", "ranking", "rank", "mostread", "outbrain",
        "taboola", "teaser", "teasers", "promo", "promotion", "promoted", "ad", "ads", "adv", "advert",
        "advertisement", "adsense", "adsbygoogle", "adarea", "banner", "sponsor", "sponsored", "cookie",
        "cookies", "consent", "gdpr", "popup", "modal", "overlay", "lightbox", "subscribe", "subscription",
        "newsletter", "signup", "login", "signin", "paywall", "regwall", "pagination", "pager", "paging",
        "paginate", "toc", "widget", "widgets", "tagcloud", "copyright", "sronly", "hidden", "tooltip", "toolbar",
        "cart", "editsection", "navbox", "noprint", "catlinks", "another", "upsell", "bio", "skip", "postprofile",
        "jump", "tags", "hashtags", "hatnote", "metadata", "feedback", "also",
    ]
    private static let commentWords: Set<String> = [
        "comment", "comments", "cmt", "cmts", "disqus", "reply", "replies", "respond", "commentlist", "livere",
    ]
    private static let factWords: Set<String> = [
        "meta", "byline", "author", "authors", "date", "datetime", "time", "timestamp", "category", "categories",
        "credit", "posted", "published", "writer", "reporter", "views", "count", "like", "likes", "vote", "votes",
        "tag", "rating", "stats", "user", "username", "nick", "nickname", "signature", "karma", "avatar", "util",
        "tool", "tools", "btn", "button", "buttons", "print", "fontsize", "license",
    ]
    private static let factLengthMax = 160
    /// If an element has this share of the text, its role, class and id are ignored.
    ///
    /// If it has twice this share, its tag is also ignored.
    private static let shareMax = 0.4

    let tree: PageTree
    /// For each node, the length of the text outside links.
    let lengths: [Int]

    init(_ tree: PageTree) {
        self.tree = tree
        var lengths = [Int](repeating: 0, count: tree.nodes.count)
        var isLeftOut = [Bool](repeating: false, count: tree.nodes.count)
        for (index, node) in tree.nodes.enumerated() where index > 0 {
            isLeftOut[index] = isLeftOut[node.parent] || node.tag == .a || node.tag.isSkipped
            if node.tag == .text, !isLeftOut[index] { lengths[index] = Candidate.length(of: tree.text[node.text]) }
        }
        for index in tree.nodes.indices.reversed() where index > 0 {
            lengths[tree.nodes[index].parent] += lengths[index]
        }
        self.lengths = lengths
    }

    func isHidden(_ node: Int) -> Bool {
        if tree.nodes[node].tag.isSkipped || tree[.hidden, of: node] != nil { return true }
        if tree[.ariaHidden, of: node] == "true" { return true }
        guard let style = tree[.style, of: node] else { return false }
        let plain = style.lowercased().filter { $0 != " " }
        return plain.contains("display:none") || plain.contains("visibility:hidden")
    }

    func isBoilerplate(_ node: Int) -> Bool {
        let tag = tree.nodes[node].tag
        if [.html, .body, .main, .article].contains(tag) || tag.isInline && tag != .span && tag != .a { return false }
        let words = words(of: node)
        if !words.isDisjoint(with: Self.commentWords) { return true }
        let share = Double(lengths[node]) / Double(max(1, lengths[0]))
        if Self.boilerplateTags.contains(tag) && share < 2 * Self.shareMax { return true }
        if share < Self.shareMax {
            if tree[.role, of: node].map(Self.boilerplateRoles.contains) == true { return true }
            if !words.isDisjoint(with: Self.boilerplateWords) { return true }
        }
        let isShort = lengths[node] < Self.factLengthMax
        return isShort && tag.headingLevel == nil && !words.isDisjoint(with: Self.factWords)
    }

    /// Returns the words of the class and the id: `post`, `body` and `postbody` for `postBody`.
    private func words(of node: Int) -> Set<String> {
        var words: Set<String> = []
        for name in [tree[.class, of: node], tree[.id, of: node]].compactMap(\.self) {
            var (word, last): ([UInt8], [UInt8]) = ([], [])
            var previous: UInt8 = 0
            for byte in name.utf8.prefix(512) + [0x20] {
                let isLetter = byte.isCapital || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                let beginsWord = byte.isCapital && !previous.isCapital
                if !isLetter || beginsWord, !word.isEmpty {
                    words.insert(String(decoding: word, as: UTF8.self))
                    words.insert(String(decoding: last + word, as: UTF8.self))
                    (last, word) = (word, [])
                }
                if isLetter { word.append(byte | 0x20) }
                previous = byte
            }
        }
        return words
    }
}
