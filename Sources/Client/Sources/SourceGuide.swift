import Hangul

/// `searchctl sources guide`: from an API that answers in JSON to a source that works, in ten minutes.
package enum SourceGuide {
    /// A piece of the guide.
    enum Block {
        case heading(String)
        case paragraph(String)
        /// A step with its number.
        case step(Int, String)
        /// Printed as it is, behind so many blanks.
        case code(String, indent: Int = 4)
        /// Names and what they mean.
        case entries([(name: String, text: String)])
    }

    /// The columns of a name before its text goes below it.
    private static let nameColumnsMax = 24
    private static let stepIndent = 4

    /// The guide for a terminal of 80 columns.
    package static let text = text(columns: Console.columnsDefault)

    /// The guide laid out for a width; code is never broken.
    static func text(columns: Int) -> String {
        let layout = Layout(columns: columns)
        let blocks = steps + [.heading("EXAMPLE: recipes.dishes.json5"), .code(example, indent: 0)] + reference
        return blocks.map { lines($0, layout).map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }

    private static func lines(_ block: Block, _ layout: Layout) -> [String] {
        switch block {
        case .heading(let text), .paragraph(let text): return layout.lines(text)
        case .step(let number, let text):
            return layout.lines(text, behind: DisplayWidth.padded("\(number).", stepIndent))
        case .code(let text, let indent):
            let margin = String(repeating: " ", count: indent)
            return text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : margin + $0 }
        case .entries(let entries):
            let short = entries.map(\.name.count).filter { $0 <= nameColumnsMax }.max() ?? 0
            return layout.entries(entries, left: short)
        }
    }

    private static let steps: [Block] = [
        .heading("A SOURCE OF YOUR OWN"),
        .paragraph(
            "Anything that answers a search over HTTPS with JSON can be a source: one file says how to ask it and "
                + "where the hits are in its answers. Nothing has to be programmed or built. This takes ten minutes:"
        ),
        .step(1, "Look at one answer of the API:"),
        .code(
            """
            curl -H "Authorization: Bearer $KEY" \\
                "https://api.recipes.example/v1/search?q=soup"

            { "count": 57,
              "results": [ { "id": 715415, "name": "Red <b>lentil</b> soup",
                             "intro": "Ready in …",
                             "path": "/recipes/715415", "cook": { "name": "Mina" },
                             "posted": "2024-03-09T11:51:51Z", "minutes": "35",
                             "stars": 4.5,
                             "photos": [ { "url":
                                 "http://img.recipes.example/715415.jpg" } ] } ] }
            """
        ),
        .paragraph(
            "Find in it: the list of hits, the total, and in a hit its id, title, text, address and date. Find in the "
                + "API's own documentation: how it takes the query, how it counts pages, what it allows per day."
        ),
        .step(
            2,
            "Copy the example below into recipes.dishes.json5 and change it. The first part of a source's name is its "
                + "account, which holds what several sources may share: host, keys, limits, errors. The smallest file "
                + "has source, kind, title, account.access.base, request.path and parameters, paging, response.hits "
                + "and hit.title; everything else is for better hits and better manners."
        ),
        .step(3, "Check it. Each mistake is reported with its line and with what would be right:"),
        .code("searchctl sources check recipes.dishes.json5"),
        .step(
            4,
            "If the API needs a key, put it into a file that only you can read (chmod 600), and name that file in the "
                + "configuration, ~/.config/searchd/config.json5. (Where “searchctl status” speaks of the system's "
                + "searchd: sudo searchctl keys set --system recipes, after step 6.)"
        ),
        .code(
            """
            { accounts: { recipes: {
                key: { file: "/home/you/.config/searchd/recipes.key" } } } }
            """
        ),
        .step(
            5,
            "Try it. This asks the API once, and once more where the file has a lookup, and shows hits beside the "
                + "source's own documents; change the file until they are as you want them:"
        ),
        .code("searchctl sources check recipes.dishes.json5 --try soup"),
        .step(6, "Install it next to the configuration, and have searchd read it; for yourself:"),
        .code(
            """
            mkdir -p ~/.config/searchd/sources.d
            cp recipes.dishes.json5 ~/.config/searchd/sources.d/
            searchctl reload
            """
        ),
        .paragraph("or for every user of the machine, where the system's searchd answers:"),
        .code(
            """
            sudo cp recipes.dishes.json5 /etc/searchd/sources.d/
            sudo searchctl reload
            """
        ),
        .paragraph(
            "A wrong file affects no other source: “searchctl sources” then shows its source as off, and “searchd "
                + "--check” says why. File names end in .json5. A file whose source has the name of a built-in one replaces it."
        ),
    ]

    /// A complete file for an API that does not exist.
    package static let example = #"""
        // Names need no quotes; comments and a trailing comma are fine.
        {
          source: "recipes.dishes",       // account.part of a–z, 0–9, - and _
          kind: "recipe",                 // one word, such as blog or image
          title: "Recipes of the world",  // what people see

          account: {
            attribution: "Recipes of the world, CC BY",    // shown beside the hits
            secrets: { key: "an API key from recipes.example/account" },
            access: {
              secrets: ["key"],       // leave both out where no key is needed
              base: "https://api.recipes.example",
              headers: { Authorization: "Bearer {secret.key}" },
            },
            limits: { perSecond: 2, concurrency: 2 },
            quotas: [
              { name: "recipes-day", limit: 500, per: "day", resetsAt: "00:00" },
            ],
            errorText: "error.message",                    // where it says why
            errors: [
              { when: { status: 402 }, means: "quotaExhausted", quota: "recipes-day" },
              { when: { status: 404, body: { "error.code": "noPage" } }, means: "end" },
            ],
          },

          request: {
            path: "/v1/search",
            parameters: {
              q: "{query}",
              page: "{page}",
              per_page: "{size}",
              order: "{sort}",        // left out when it is empty
              diet: "{option.diet}",
            },
          },
          sorts: { relevance: "", recency: "newest" },   // the API's words
          options: {
            diet: { type: "choice", values: ["vegan", "vegetarian"], about: "diet" },
          },
          paging: { style: "page", first: 1, size: 20, pagesMax: 50 },
          response: { hits: "results", total: "count", end: { pastTotal: true } },

          hit: {
            key: "id",
            title: { from: "name", do: "html" },
            snippet: { from: "intro", do: "html" },
            url: { from: "path", do: { url: "https://recipes.example/" } },
            author: "cook.name",
            published: { from: "posted", do: { date: "iso" } },
            thumbnail: { from: "photos[0].url", do: "secure" },
            extra: {
              minutes: { from: "minutes", do: "number" },
              rating: { from: "stars", do: "number" },
            },
          },
        }

        """#
}
