/// A form of record that the store lists.
enum ITunesKind: Int, CaseIterable, Sendable {
    case song, album, app, podcast, ebook, movie, artist, audiobook

    /// Its name among the sources of searchd, or one like it.
    var source: String {
        switch self {
        case .song: "itunes.music"
        default: "itunes.\(self)"
        }
    }

    /// The part of the world's documents that the store knows.
    var share: Double {
        switch self {
        case .song: 0.02
        case .album: 0.008
        case .app: 0.01
        case .artist: 0.001
        case .audiobook: 0.002
        case .ebook: 0.006
        case .movie: 0.003
        case .podcast: 0.006
        }
    }
}

/// What an entity lists: a form of record, and how its `kind` is written.
struct ITunesEntity: Hashable, Sendable {
    let name: String
    let record: ITunesKind
    let kindName: String

    /// The entities of each medium, the default first.
    static let media: [(name: String, entities: [ITunesEntity])] = [
        ("movie", [of("movie", .movie, "feature-movie"), of("movieArtist", .artist)]),
        (
            "podcast",
            [of("podcast", .podcast), of("podcastAuthor", .artist), of("podcastEpisode", .podcast, "podcast-episode")]
        ),
        (
            "music",
            [
                of("musicTrack", .song, "song"), of("musicArtist", .artist), of("album", .album),
                of("musicVideo", .song, "music-video"), of("mix", .album), of("song", .song),
            ]
        ),
        ("musicVideo", [of("musicVideo", .song, "music-video"), of("musicArtist", .artist)]),
        ("audiobook", [of("audiobook", .audiobook), of("audiobookAuthor", .artist)]),
        ("shortFilm", [of("shortFilm", .movie, "feature-movie"), of("shortFilmArtist", .artist)]),
        ("tvShow", [of("tvEpisode", .movie, "tv-episode"), of("tvSeason", .album, "TV Season")]),
        (
            "software",
            [
                of("software", .app, "software"), of("iPadSoftware", .app, "software"),
                of("macSoftware", .app, "mac-software"),
            ]
        ),
        ("ebook", [of("ebook", .ebook)]),
        (
            "all",
            [
                of("allTrack", .song, "song"), of("movie", .movie, "feature-movie"), of("album", .album),
                of("allArtist", .artist), of("podcast", .podcast), of("musicVideo", .song, "music-video"),
                of("mix", .album), of("audiobook", .audiobook), of("tvSeason", .album, "TV Season"),
            ]
        ),
    ]

    static let attributes = [
        "actorTerm", "languageTerm", "allArtistTerm", "tvEpisodeTerm", "shortFilmTerm", "directorTerm",
        "releaseYearTerm", "titleTerm", "featureFilmTerm", "ratingIndex", "keywordsTerm", "descriptionTerm",
        "authorTerm", "genreIndex", "mixTerm", "allTrackTerm", "artistTerm", "composerTerm", "tvSeasonTerm",
        "producerTerm", "ratingTerm", "songTerm", "movieArtistTerm", "showTerm", "movieTerm", "albumTerm",
        "softwareDeveloper",
    ]

    /// The entity that a medium and a name mean; nil when the medium has none of that name.
    ///
    /// Without a medium every entity is open.
    static func find(media: String?, entity: String?) -> ITunesEntity? {
        guard let media, media != "all" else {
            guard let entity else { return Self.media.last?.entities.first }
            return Self.media.lazy.flatMap(\.entities).first { $0.name == entity }
        }
        let entities = Self.media.first { $0.name == media }?.entities ?? []
        guard let entity else { return entities.first }
        return entities.first { $0.name == entity }
    }

    private static func of(_ name: String, _ record: ITunesKind, _ kindName: String? = nil) -> ITunesEntity {
        ITunesEntity(name: name, record: record, kindName: kindName ?? "\(record)")
    }
}
