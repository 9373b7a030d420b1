import HTTP
import JSON

/// The store's search and lookup: no key, a rate, countries, one page.
enum ITunesSearch {
    static let contentType = "text/javascript; charset=utf-8"
    static let limitMax = 200
    static let limitDefault = 50

    static func answer(_ call: Call, in world: inout World) -> HTTPResponse {
        do throws(ITunesError) {
            let minute = Ledger.Period.window(nanoseconds: 60_000_000_000)
            let limit = world.options.limits.itunesPerMinute
            guard world.ledger.admits("itunes", limit: limit, per: minute, at: call.instant) else {
                throw world.options.quirks.itunesThrottleIs429 ? .rateLimited429 : .rateLimited
            }
            guard let store = Storefront.of(call.parameters["country"] ?? "US") else {
                throw .badCountry
            }
            switch call.path {
            case "/search": return ok(try search(call, store, in: &world), call)
            case "/lookup": return ok(try lookup(call, store, in: &world), call)
            default: throw .unknownPath
            }
        } catch {
            return error.response(to: call)
        }
    }

    /// The source that a call belongs to, by the entity it asks for.
    static func source(_ path: String, _ parameters: Parameters) -> String {
        let (media, entity) = (parameters["media"], parameters["entity"])
        if path == "/lookup", entity == nil { return "itunes.lookup" }
        return ITunesEntity.find(media: media, entity: entity)?.record.source ?? "itunes.unknown"
    }

    private static func search(_ call: Call, _ store: Storefront, in world: inout World) throws(ITunesError) -> [UInt8]
    {
        let media = call.parameters["media"]
        if let media, !ITunesEntity.media.contains(where: { $0.name == media }) { throw .badMedia }
        guard let entity = ITunesEntity.find(media: media, entity: call.parameters["entity"]) else {
            throw .badEntity
        }
        if let attribute = call.parameters["attribute"], !ITunesEntity.attributes.contains(attribute) {
            throw .badAttribute
        }
        let query = ITunesQuery(
            term: call.parameters["term"] ?? "",
            entity: entity,
            attribute: call.parameters["attribute"] ?? "",
            isClean: call.parameters["explicit"] == "No",
            limit: limit(call)
        )
        let results = ITunesResults(query, at: call.instant, in: world)
        let search = world.topics.remember(results.search)
        let writer = ITunesWriter(
            store: store,
            pictures: world.pictures,
            search: search,
            topic: results.topic,
            pricePercent: world.options.quirks.pricePercent
        )
        let key = "\(call.request.url)\n\(results.listing.arrivals)"
        return world.pages.body(key) {
            body(results.documents.map { writer.record($0, entity) })
        }
    }

    private static func limit(_ call: Call) -> Int {
        let limit = call.number("limit", default: limitDefault) ?? limitDefault
        return limit < 1 ? limitDefault : min(limit, limitMax)
    }

    /// Records by id, each followed by related ones when an entity is named.
    private static func lookup(_ call: Call, _ store: Storefront, in world: inout World) throws(ITunesError) -> [UInt8]
    {
        var related: ITunesEntity?
        if let name = call.parameters["entity"] {
            guard let entity = ITunesEntity.find(media: nil, entity: name) else { throw .badEntity }
            related = entity
        }
        let ids =
            (call.parameters["id"] ?? "").split(separator: ",").compactMap { Int($0) }
            + (call.parameters["bundleId"] ?? "").split(separator: ",").compactMap(ITunesWriter.id(ofBundle:))
        var records: [JSONValue] = []
        for id in ids {
            guard let position = ITunesWriter.position(of: id), let search = world.topics.search(position.search) else {
                continue
            }
            let found = ITunesResults(search, record: position.record, at: call.instant, in: world)
            guard let document = found.listing.document(index: position.index) else { continue }
            let writer = ITunesWriter(
                store: store,
                pictures: world.pictures,
                search: position.search,
                topic: found.topic,
                pricePercent: world.options.quirks.pricePercent
            )
            records.append(writer.record(document, position.record.entity))
            guard let related else { continue }
            let others = ITunesResults(search, record: related.record, limit: limit(call), at: call.instant, in: world)
            records += others.documents.map { writer.record($0, related) }
        }
        return body(records)
    }

    /// The count, then one record per line, after the empty lines that the store begins with.
    private static func body(_ records: [JSONValue]) -> [UInt8] {
        var bytes = Array("\n\n\n{\n \"resultCount\":\(records.count),\n \"results\": [\n".utf8)
        let style = Body(comma: ", ")
        for (index, record) in records.enumerated() {
            if index > 0 { bytes += ", \n".utf8 }
            bytes += style.bytes(record)
        }
        return bytes + Array("]\n}\n\n\n".utf8)
    }

    private static func ok(_ body: [UInt8], _ call: Call) -> HTTPResponse {
        let callback = call.parameters["callback"].map { Array("\n\n\n\($0)(".utf8) + body + Array(");".utf8) }
        return .of(200, contentType, callback ?? body, [("Cache-Control", "max-age=86400")])
    }
}
