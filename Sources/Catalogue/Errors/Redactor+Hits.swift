import JSON
import SearchModel

/// Hits, after all steps that could have put a secret together; their documents are redacted before.
extension Redactor {
    /// Masks the secrets in the fields of hits.
    ///
    /// - Complexity: O(n / m) usually, in the bytes of the fields and of the shortest sign of a secret.
    func redact(_ hits: inout [Hit]) {
        guard !isEmpty else { return }
        for index in shown(by: hits) { hits[index] = redacted(hits[index]) }
    }

    private func shown(by hits: [Hit]) -> [Int] {
        // Looked at where they are: a copy of a hit counts a dozen references.
        let all = hits.span
        var shown: [Int] = []
        for index in all.indices {
            let isShown =
                shows(all[index].title) || shows(all[index].snippet) || shows(all[index].url)
                || shows(all[index].author) || shows(all[index].thumbnail) || shows(all[index].id)
                || showsPlainly(in: all[index].extraText.span)
            if isShown { shown.append(index) }
        }
        return shown
    }

    private func shows(_ text: String?) -> Bool {
        guard let text, mayHold(text.utf8.count) else { return false }
        return showsPlainly(in: text.utf8.span)
    }

    /// The hit with the secrets masked in its fields.
    func redacted(_ hit: Hit) -> Hit {
        var hit = hit
        let (title, snippet) = (hit.title, hit.snippet ?? "")
        hit.title = redacted(title)
        hit.snippet = hit.snippet.map(redacted)
        // Ranges of what was there.
        if !hit.title.hasSameBytes(as: title) { hit.titleMarks = [] }
        if hit.snippet?.hasSameBytes(as: snippet) == false { hit.snippetMarks = [] }
        hit.url = hit.url.map(redacted)
        hit.author = hit.author.map(redacted)
        hit.thumbnail = hit.thumbnail.map(redacted)
        hit.id = redacted(hit.id)
        hit.extraText = redacted(json: hit.extraText)
        return hit
    }
}

/// Reads documents whose hits must show no secret.
struct RedactingReader: HitReader {
    let mapper: HitMapper
    let redactor: Redactor

    func hits(of list: [UInt8], firstRank: Int) -> [Hit] {
        var hits = mapper.hits(of: list, firstRank: firstRank)
        redactor.redact(&hits)
        return hits
    }
}
