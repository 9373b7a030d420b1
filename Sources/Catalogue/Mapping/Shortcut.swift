import JSON
import SearchModel

/// What most rules begin with: one place, and a step at the most, which needs nothing but what stands there.
///
/// It only answers where the rule in its whole generality would answer the same; nil leaves the answer to that.
struct Shortcut: Sendable {
    enum Treatment: Sendable {
        case nothing
        case html(marks: Bool)
        case date(DateFormat, zone: Int, precision: PublishedDate.Precision?)
        case number
        case url
    }

    let slot: Int
    let treatment: Treatment

    /// Fails for an alternative that is not as simple.
    init?(_ alternative: CompiledRule.Alternative) {
        guard let path = alternative.path, path.rest.isEmpty, let slot = path.slot, alternative.steps.count <= 1 else {
            return nil
        }
        switch alternative.steps.first {
        case nil: treatment = .nothing
        case .html(let marks): treatment = .html(marks: marks)
        case .date(let format, let zone, let precision): treatment = .date(format, zone: zone, precision: precision)
        case .number: treatment = .number
        case .url: treatment = .url
        default: return nil
        }
        self.slot = slot
    }

    /// The date that the string at a place is.
    func date(at place: Int, in document: JSONView, _ cleaner: inout TextCleaner) -> PublishedDate? {
        guard case .date(let format, let zone, let precision) = treatment else { return nil }
        let date = cleaner.withText(of: .written(place), in: document) { format.read($1, zone: zone) } ?? nil
        return date?.coarsened(to: precision)
    }

    /// Writes what stands at a place for `extra`; false, and nothing is written, when nothing is left of it.
    func write(
        _ place: Int,
        in document: JSONView,
        _ cleaner: inout TextCleaner,
        to writer: inout JSONWriter
    ) -> Bool? {
        switch (document.kind(at: place), treatment) {
        case (.number, .nothing), (.bool, .nothing), (.number, .number):
            document.withBytes(at: place) { writer.raw($0) }
            return true
        case (.string, .nothing):
            guard document.range(at: place).count > 2 else { return nil }
            return cleaner.write(.written(place), in: document, bytesMax: TextLimits.extraBytesMax, to: &writer)
        case (.string, .html):
            guard let plain = Step.html(place, in: document, marks: false, &cleaner) else { return nil }
            writer.string(plain.text)
            return true
        case (.string, .url):
            guard cleaner.withText(of: .written(place), in: document, { WebAddress.isClean($1) }) ?? false else {
                return nil
            }
            return cleaner.write(.written(place), in: document, bytesMax: TextLimits.extraBytesMax, to: &writer)
        case (.string, .date):
            guard let date = date(at: place, in: document, &cleaner) else { return nil }
            writer.string(date.text)
            return true
        case (.array, .nothing):
            return CompiledRule.write(.written(place), in: document, &cleaner, to: &writer) ? true : nil
        default: return nil
        }
    }
}
