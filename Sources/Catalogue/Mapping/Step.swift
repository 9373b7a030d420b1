import SearchModel

/// One transform of a field's value.
///
/// A step that is about one value is applied to each element of a list; a value that a step can't take is dropped, and
/// the rule's next alternative is tried.
enum Step: Equatable, Sendable {
    /// Plain text from HTML, with marks or without.
    case html(marks: Bool)
    /// Plain text from text with entities and no tags.
    case entities
    /// Plain text.
    case clean
    case date(DateFormat, zone: Int, precision: PublishedDate.Precision?)
    /// A number, also from a string that holds one.
    case number
    /// A quotient, with its fraction or rounded to a whole number.
    case divide(by: Double, whole: Bool)
    case within(ClosedRange<Double>)
    case bool
    case join(String)
    case split(String)
    case first
    case last
    case limit(Int)
    /// A checked web address, relative ones resolved against a base.
    case url(base: String?)
    /// `http` becomes `https`.
    case secure
    /// A checked web address that may lack its scheme.
    case scheme
    /// The text between two constant ones.
    case format(before: String, after: String)
    case after(String)
    case before(String)
    case trimPrefix(String)
    case trimSuffix(String)
    case replace(String, with: String)
    /// The decoded value of a parameter in a URL's query.
    case queryItem(String)
    /// Nothing, if it is one of these.
    case omit([String])
    /// Another text for each of these; the others as they are, or nothing.
    case map([String: String], others: Bool)
    case isbn10
    case isbn13
    /// Percent-encoded for the path of a URL, blanks as underscores.
    case encode
    case lowercase
    case uppercase
}
