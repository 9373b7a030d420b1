import JSON
import SearchModel

/// What most rules begin with: one member, and a step at the most, which needs nothing but what stands there.
///
/// It only answers where the rule in its whole generality would answer the same; nil leaves the answer to that.
enum Shortcut: Sendable {
    case nothing
    case html(marks: Bool)
    case date(DateFormat, zone: Int, precision: PublishedDate.Precision?)
    case number
    case url

    /// Fails for steps that are not as simple.
    init?(_ steps: [Step]) {
        guard steps.count <= 1 else { return nil }
        switch steps.first {
        case nil: self = .nothing
        case .html(let marks): self = .html(marks: marks)
        case .date(let format, let zone, let precision): self = .date(format, zone: zone, precision: precision)
        case .number: self = .number
        case .url: self = .url
        default: return nil
        }
    }

    /// The plain text of the string at a place, which is not empty.
    func text(at place: Int, _ space: inout Workspace, bytesMax: Int) -> PlainText? {
        switch self {
        case .nothing: return space.cleaned(at: place, .none, bytesMax: bytesMax)
        case .html(let marks):
            var plain = space.cleaned(at: place, .html, bytesMax: TextLimits.extraBytesMax)
            if !marks { plain.marks = [] }
            if plain.text.utf8.count > bytesMax { plain = plain.cut(bytesMax: bytesMax) }
            return plain.unlessEmpty
        case .date, .number, .url: return nil
        }
    }

    /// The web address that the string at a place is as it stands.
    func address(at place: Int, in document: JSONView) -> String? {
        switch self {
        case .nothing, .url: break
        case .html, .date, .number: return nil
        }
        guard !document.hasEscapes(at: place) else { return nil }
        return document.withBytes(at: place) { WebAddress.isClean($0) ? String(validated: $0) : nil }
    }

    /// The date that the string at a place is.
    func date(at place: Int, in document: JSONView) -> PublishedDate? {
        guard case .date(let format, let zone, let precision) = self, !document.hasEscapes(at: place) else {
            return nil
        }
        return document.withBytes(at: place) { format.read($0, zone: zone) }?.coarsened(to: precision)
    }

    /// Whether what stands at a place is for `extra` as it is written.
    func isReady(_ place: Int, in document: JSONView) -> Bool {
        switch (document.kind(at: place), self) {
        case (.number, .nothing), (.bool, .nothing), (.number, .number): true
        case (.string, .nothing), (.string, .html), (.string, .url):
            !document.hasEscapes(at: place) && document.withBytes(at: place, isPlain)
        default: false
        }
    }

    /// Whether a text is not empty, and stays as it is.
    private func isPlain(_ text: Span<UInt8>) -> Bool {
        switch self {
        case .nothing: PlainRun.isAll(of: text, markup: .none, bytesMax: TextLimits.extraBytesMax)
        case .html: PlainRun.isAll(of: text, markup: .html, bytesMax: TextLimits.extraBytesMax)
        case .url: WebAddress.isClean(text)
        case .date, .number: false
        }
    }
}
