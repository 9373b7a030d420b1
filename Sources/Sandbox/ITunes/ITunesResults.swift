/// What a search of the store asks for once it has been checked.
struct ITunesQuery: Hashable {
    var term: String
    var entity: ITunesEntity
    var attribute = ""
    /// Without explicit items.
    var isClean = false
    var limit = ITunesSearch.limitMax
}

/// The records that a search of the store finds: one page of them and no more.
struct ITunesResults {
    let search: TopicMemory.Search
    let topic: Topic
    let listing: Listing
    private let limit: Int

    init(_ query: ITunesQuery, at instant: Int64, in world: World) {
        let topic = Topic(query.term)
        let variant = query.attribute + (query.isClean ? " clean" : "")
        let search = TopicMemory.Search(query: query.term, variant: variant)
        let isNonsense = topic.abundance == 0 && !topic.words.isEmpty
        guard isNonsense, query.entity.record == .app, world.options.quirks.itunesUnrelated else {
            self.init(search, record: query.entity.record, limit: query.limit, at: instant, in: world)
            return
        }
        // Words that nothing matches still bring one to three apps, of something else.
        var dice = Dice(topic.key, 0x0DD)
        let other = TopicMemory.Search(query: dice.pick(Vocabulary.english.nouns), variant: variant)
        let count = min(query.limit, dice.roll(1...3))
        self.init(other, record: .app, limit: count, at: instant, in: world)
    }

    init(
        _ search: TopicMemory.Search,
        record: ITunesKind,
        limit: Int = ITunesSearch.limitMax,
        at instant: Int64,
        in world: World
    ) {
        self.search = search
        self.limit = limit
        topic = Topic(search.query)
        let name = "itunes.\(record)" + (search.variant.isEmpty ? "" : " \(search.variant)")
        listing = world.listing(name, topic, share: record.share, at: instant)
    }

    /// Sometimes a few fewer than asked for, although there are more.
    var documents: [Document] {
        var dice = Dice(topic.key, 0x11_417)
        let missing = limit > 10 && dice.chance(1, of: 3) ? dice.roll(1...3) : 0
        return listing.documents(0, limit < listing.count ? limit - missing : limit)
    }

    /// All that one call can bring.
    static func truth(_ record: ITunesKind, _ term: String, at instant: Int64, in world: World) -> SandboxTruth {
        let results = ITunesResults(ITunesQuery(term: term, entity: record.entity), at: instant, in: world)
        let search = results.search.key
        let ids = results.documents.map { String(ITunesWriter.id(search, $0.index, record)) }
        return SandboxTruth(total: ids.count, reachable: ids.count, ids: ids)
    }
}

extension ITunesKind {
    /// The entity by which this form of record is usually asked for.
    var entity: ITunesEntity {
        let name =
            switch self {
            case .song: "musicTrack"
            case .app: "software"
            case .artist: "musicArtist"
            default: "\(self)"
            }
        return ITunesEntity.find(media: nil, entity: name) ?? ITunesEntity(name: name, record: self, kindName: name)
    }
}
