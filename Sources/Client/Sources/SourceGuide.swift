/// `searchctl sources guide`: from an API that answers in JSON to a source that works, in ten minutes.
package enum SourceGuide {
    package static let text = [steps, exampleTitle, example, reference].joined(separator: "\n")

    private static let steps = """
        A SOURCE OF YOUR OWN

        Whatever answers a search over HTTPS with JSON can be a source: one file says how to ask it and
        where the hits are in its answers. No programming, no building. This takes ten minutes:

         1. Look at one answer of the API:

                curl -H "Authorization: Bearer $KEY" "https://api.recipes.example/v1/search?q=soup"

                { "count": 57,
                  "results": [ { "id": 715415, "name": "Red <b>lentil</b> soup", "intro": "Ready in …",
                                 "path": "/recipes/715415", "cook": { "name": "Mina" },
                                 "posted": "2024-03-09T11:51:51Z", "minutes": "35", "stars": 4.5,
                                 "photos": [ { "url": "http://img.recipes.example/715415.jpg" } ] } ] }

            Find in it: the list of hits, the total, and in a hit its id, title, text, address and date.
            Find in the API's own pages: how it takes the query, how it counts pages, what it allows a day.

         2. Copy the example below into recipes.dishes.json5 and change it. The first part of a source's
            name is its account, which holds what several sources may share: host, keys, limits, errors.
            The smallest file has source, kind, title, account.access.base, request.path and parameters,
            paging, response.hits and hit.title; all the rest is for better hits and better manners.

         3. Let it be checked. What is wrong is told with its line, and with what would be right:

                searchctl sources check recipes.dishes.json5

         4. If the API wants a key, put it into a file that only you can read (chmod 600), and name that
            file in the configuration, ~/.config/searchd/config.json5:

                { accounts: { recipes: { key: { file: "/home/you/.config/searchd/recipes.key" } } } }

         5. Try it. This asks the API once and shows hits beside what they are made of; change the file
            until they are as you want them:

                searchctl sources check recipes.dishes.json5 --try soup

         6. Put it into place, next to the configuration, and have searchd read it:

                mkdir -p ~/.config/searchd/sources.d
                cp recipes.dishes.json5 ~/.config/searchd/sources.d/
                searchctl reload
                searchctl search -s recipes.dishes soup

        A file that is wrong harms no other source: “searchctl sources” then shows its source as
        off, and “searchd --check” tells why. Names of files end in .json5; those in /etc/searchd/sources.d
        are for every user of the machine. A file whose source has the name of a built-in one replaces it.

        """

    private static let exampleTitle = """
        EXAMPLE: recipes.dishes.json5

        """

    /// A complete file for an API that does not exist.
    package static let example = #"""
        // Names need no quotes, comments are fine, and so is a comma behind the last member.
        {
            source: "recipes.dishes",       // account.part, of a–z, 0–9, - and _
            kind: "recipe",                 // one word of a–z and digits, such as blog, book, image
            title: "Recipes of the world",  // what people see

            account: {
                attribution: "Recipes of the world, CC BY",    // to be shown beside the hits
                secrets: { key: "an API key from recipes.example/account" },
                access: {
                    secrets: ["key"],       // leave both out where no key is needed
                    base: "https://api.recipes.example",
                    headers: { Authorization: "Bearer {secret.key}" },
                },
                limits: { perSecond: 2, concurrency: 2 },
                quotas: [
                    { name: "recipes-day", limit: 500, per: "day", resetsAt: "00:00", zone: "+00:00" },
                ],
                errorText: "error.message",                    // where it says in words what is wrong
                errors: [
                    { when: { status: 402 }, means: "quotaExhausted", quota: "recipes-day" },
                    { when: { status: 404, body: { "error.code": "noSuchPage" } }, means: "end" },
                ],
            },

            request: {
                path: "/v1/search",
                parameters: {
                    q: "{query}",
                    page: "{page}",
                    per_page: "{size}",
                    order: "{sort}",        // left out when there is nothing to put in
                    diet: "{option.diet}",
                },
            },
            sorts: { relevance: "", recency: "newest" },       // the API's words for these orders
            options: {
                diet: { type: "choice", values: ["vegan", "vegetarian"], about: "only such dishes" },
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
