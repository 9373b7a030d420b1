import SearchModel

/// One transform of a field's value.
///
/// A step that is about one value is applied to each element of a list; a value that a step can't take is dropped, and
/// the rule's next alternative is tried.
enum Step: Sendable {
    /// A text of the source's file: a range of the bytes of the rule's tables, so that a step holds no reference.
    typealias Text = Range<Int>
    /// Several of them: a range of the tables' texts.
    typealias Texts = Range<Int>

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
    case join(Text)
    case split(Text)
    case first
    case last
    case limit(Int)
    /// A checked web address, relative ones resolved against a base.
    case url(base: Text?)
    /// `http` becomes `https`.
    case secure
    /// A checked web address that may lack its scheme.
    case scheme
    /// The text between two constant ones.
    case format(before: Text, after: Text)
    case after(Text)
    case before(Text)
    case trimPrefix(Text)
    case trimSuffix(Text)
    case replace(Text, with: Text)
    /// The decoded value of a parameter in a URL's query; its name is kept as it is encoded, with its `=`.
    case queryItem(Text)
    /// Nothing, if it is one of these.
    case omit(Texts)
    /// Each text, followed by what it becomes; other values are kept or dropped.
    case map(Texts, others: Bool)
    /// The text with marks where the text at a path, the index of one, has the same words between `<em>` and `</em>`.
    case marks(path: Int)
    case isbn10
    case isbn13
    /// Percent-encoded for the path of a URL, blanks as underscores.
    case encode
    case lowercase
    case uppercase
}
