package import SearchModel

extension Catalogue {
    package static func builtIn() -> Catalogue { ofProgram }

    /// A mistake in a built-in file is a bug in the program, so it ends the program.
    private static let ofProgram: Catalogue = {
        var catalogue = Catalogue()
        for (name, bytes) in BuiltInFiles.all {
            do throws(CatalogueMistakes) {
                try catalogue.add(file: name, bytes: bytes, trust: .builtIn)
            } catch {
                fatalError("a built-in source file is not valid: \(error.all)")
            }
        }
        return catalogue
    }()

    package mutating func addFeed(_ name: SourceName, at address: String, trust: Trust) throws(CatalogueMistakes) {
        guard let url = WebAddress(address)?.text else {
            throw CatalogueMistakes(all: [CatalogueError(file: "", message: "is not a valid web address")])
        }
        let path = url.utf8.index(url.startIndex, offsetBy: URLParts(url.utf8.span).path)
        let rest = url[path...].prefix { $0 != "#" }
        var text = String(decoding: PackageResources.feed_json5, as: UTF8.self)
        let base = String(url[..<path])
        for (word, value) in [
            ("feed.NAME", name.text), ("NAME", String(name.text.dropFirst("feed.".utf8.count))), ("BASE", base),
            ("HOST", WebAddress(url)?.host ?? ""), ("PATH", rest.hasPrefix("/") ? String(rest) : "/" + rest),
        ] {
            text = text.replacing(word, with: value)
        }
        try add(file: "feed.json5", bytes: Array(text.utf8), trust: trust)
    }
}

/// A file that declares an account must come before the files that use the account.
enum BuiltInFiles {
    static var all: [(name: String, bytes: [UInt8])] {
        [
            ("google.json5", PackageResources.google_json5),
            ("itunes.json5", PackageResources.itunes_json5),
            ("kakao.json5", PackageResources.kakao_json5),
            ("naver.json5", PackageResources.naver_json5),
            ("openlibrary.json5", PackageResources.openlibrary_json5),
            ("google.books.json5", PackageResources.google_books_json5),
            ("hackernews.stories.json5", PackageResources.hackernews_stories_json5),
            ("naver.book.json5", PackageResources.naver_book_json5),
            ("naver.doc.json5", PackageResources.naver_doc_json5),
            ("naver.local.json5", PackageResources.naver_local_json5),
            ("naver.shop.json5", PackageResources.naver_shop_json5),
            ("openlibrary.books.json5", PackageResources.openlibrary_books_json5),
            ("wikipedia.json5", PackageResources.wikipedia_json5),
            ("arxiv.papers.json5", PackageResources.arxiv_papers_json5),
            ("crossref.works.json5", PackageResources.crossref_works_json5),
            ("github.json5", PackageResources.github_json5),
            ("marginalia.web.json5", PackageResources.marginalia_web_json5),
            ("mdn.pages.json5", PackageResources.mdn_pages_json5),
            ("musicbrainz.recordings.json5", PackageResources.musicbrainz_recordings_json5),
            ("mwmbl.web.json5", PackageResources.mwmbl_web_json5),
            ("openalex.works.json5", PackageResources.openalex_works_json5),
            ("openstreetmap.places.json5", PackageResources.openstreetmap_places_json5),
            ("stackexchange.questions.json5", PackageResources.stackexchange_questions_json5),
            ("wikidata.entities.json5", PackageResources.wikidata_entities_json5),
            ("aladin.books.json5", PackageResources.aladin_books_json5),
            ("brave.json5", PackageResources.brave_json5),
            ("exa.web.json5", PackageResources.exa_web_json5),
            ("kagi.web.json5", PackageResources.kagi_web_json5),
            ("nationallibrary.books.json5", PackageResources.nationallibrary_books_json5),
            ("searxng.web.json5", PackageResources.searxng_web_json5),
            ("tavily.web.json5", PackageResources.tavily_web_json5),
            ("youtube.videos.json5", PackageResources.youtube_videos_json5),
        ]
    }
}
