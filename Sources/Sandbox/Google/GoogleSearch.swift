import HTTP
import JSON

/// Google Books: the list of volumes and the single one, with keys, quota and location.
enum GoogleSearch {
    static let contentType = "application/json; charset=UTF-8"
    static let listPath = "/books/v1/volumes"
    static let resultsMax = 40

    static func answer(_ call: Call, in world: inout World) -> HTTPResponse {
        do throws(GoogleError) {
            let country = try admit(call, in: &world)
            if call.path == listPath { return list(try query(call, country: country), at: call, in: &world) }
            guard call.path.hasPrefix(listPath + "/") else { throw .notFound }
            return try volume(String(call.path.dropFirst(listPath.utf8.count + 1)), country, at: call, in: &world)
        } catch {
            return error.response(to: call)
        }
    }

    /// Key, quota, location and luck, in this order; the caller's country.
    private static func admit(_ call: Call, in world: inout World) throws(GoogleError) -> String {
        let limits = world.options.limits
        guard let key = call.parameters["key"] else { throw .anonymousQuota }
        guard world.options.keys.google.contains(key) else { throw .badKey }
        let minute = Ledger.Period.window(nanoseconds: 60_000_000_000)
        guard world.ledger.admits("google \(key)", limit: limits.googlePerMinute, per: minute, at: call.instant) else {
            throw .minuteQuota
        }
        guard world.ledger.admits("google \(key)", limit: limits.googlePerDay, per: .pacificDay, at: call.instant)
        else {
            throw .dailyQuota
        }
        let country = call.parameters["country"]
        if country == nil, world.options.quirks.googleNeedsCountry { throw .unknownLocation }
        let odds = world.options.quirks.googleFails1In
        if odds > 0, world.dice.chance(1, of: odds) { throw .backendFailed }
        return country?.uppercased() ?? "US"
    }

    private static func query(_ call: Call, country: String) throws(GoogleError) -> GoogleQuery {
        let typed = call.parameters["q"] ?? ""
        guard !Topic(typed).words.isEmpty else { throw .missingQuery }
        guard let size = call.number("maxResults", default: 10), (0...resultsMax).contains(size) else {
            throw .tooManyResults
        }
        guard let start = call.number("startIndex", default: 0), start >= 0 else { throw .badParameter }
        var variant = GoogleQuery.Variant()
        let text: String
        (text, variant.scope) = GoogleQuery.parse(typed)
        variant.printType = try choice(call, "printType", ["all", "books", "magazines"])
        variant.filter = try choice(call, "filter", ["", "partial", "full", "free-ebooks", "paid-ebooks", "ebooks"])
        variant.language = call.parameters["langRestrict"] ?? ""
        var query = GoogleQuery(text: text, typed: typed, variant: variant)
        query.newest = try choice(call, "orderBy", ["relevance", "newest"]) == "newest"
        query.isLite = try choice(call, "projection", ["full", "lite"]) == "lite"
        (query.startIndex, query.maxResults, query.country) = (start, size, country)
        return query
    }

    private static func choice(_ call: Call, _ name: String, _ choices: [String]) throws(GoogleError) -> String {
        let value = call.parameters[name] ?? choices[0]
        guard choices.contains(value) else { throw .badParameter }
        return value
    }

    private static func list(_ query: GoogleQuery, at call: Call, in world: inout World) -> HTTPResponse {
        let results = GoogleResults(query, at: call.instant, in: world)
        let search = world.topics.remember(TopicMemory.Search(query: query.text, variant: query.variant.text))
        let total = world.options.quirks.totalsDrift ? results.claimedTotal : results.count
        let writer = GoogleWriter(
            query: query,
            pictures: world.pictures,
            search: search,
            pricePercent: world.options.quirks.pricePercent
        )
        let body = world.pages.body("\(call.request.url)\n\(results.listing.arrivals)") {
            Body.google.bytes(writer.list(results.documents, total: total))
        }
        return ok(body)
    }

    private static func volume(
        _ id: String,
        _ country: String,
        at call: Call,
        in world: inout World
    ) throws(GoogleError) -> HTTPResponse {
        let missing: GoogleError = world.options.quirks.googleUnknownIs503 ? .unavailable : .notFound
        guard let (search, index) = GoogleWriter.position(of: id), let found = world.topics.search(search) else {
            throw missing
        }
        var query = GoogleQuery(text: found.query, typed: found.query, variant: .init(text: found.variant))
        query.country = country
        let results = GoogleResults(query, at: call.instant, in: world)
        guard let document = results.listing.document(index: index) else { throw missing }
        let writer = GoogleWriter(
            query: query,
            pictures: world.pictures,
            search: search,
            pricePercent: world.options.quirks.pricePercent
        )
        return ok(Body.google.bytes(writer.volume(document, inFull: true)))
    }

    private static func ok(_ body: [UInt8]) -> HTTPResponse {
        let tag = "\"\(String(Dice.hash(String(decoding: body.prefix(4_096), as: UTF8.self)), radix: 36))\""
        return .of(
            200,
            contentType,
            body,
            [("ETag", tag), ("Cache-Control", "private, max-age=0, must-revalidate, no-transform")]
        )
    }
}
