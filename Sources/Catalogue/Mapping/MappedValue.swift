import JSON
import SearchModel

/// The value of a field while its steps are applied, as the location of its bytes: passing it on counts no references.
///
/// Indices are of the document; ranges are of the context that the value was made in, until that is cleared.
enum MappedValue {
    /// A string, number or truth value of the document, or an array that holds one; not yet read, since many are
    /// cleaned, parsed or copied where they are.
    case written(Int)
    /// A string that is plain text as it stands between its quotes; never empty.
    case clean(Int)
    /// A text that a step has made.
    case text(Range<Int>)
    /// A number that a step has made, as JSON writes it.
    case number(Range<Int>)
    case bool(Bool)
    case date(PublishedDate)
    /// Plain text that a step has made, and its marks; never empty.
    case plain(Range<Int>, marks: Range<Int>)
    /// Elements, none of them a list; never empty.
    case list(Range<Int>)
}

extension MappedValue {
    func isEmptyText(in document: JSONView) -> Bool {
        switch self {
        case .text(let range): range.isEmpty
        case .written(let index): document.kind(at: index) == .string && document.range(at: index).count == 2
        case .number, .bool, .clean, .date, .plain, .list: false
        }
    }

    func isList(in document: JSONView) -> Bool {
        switch self {
        case .list: true
        case .written(let index): document.kind(at: index) == .array
        case .clean, .text, .number, .bool, .date, .plain: false
        }
    }
}
