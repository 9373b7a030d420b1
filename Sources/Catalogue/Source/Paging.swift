/// How a source numbers its pages.
package struct Paging: Equatable, Sendable {
    package enum Style: Equatable, Sendable {
        /// By page; the first page has this number.
        case page(first: Int)
        /// By the first item of the page; the first item has this number.
        case item(first: Int)
        /// There is one page.
        case single
    }

    package let style: Style
    /// Items of one page: the most that one call gives.
    package let size: Int
    /// How many pages may be asked for; nil when the source names no bound.
    package let pagesMax: Int?

    /// How many items can be paged to, at the most.
    package var itemsMax: Int? { pagesMax.map { $0 * size } }

    /// The value of `{page}` for a page counted from 0.
    func number(of page: Int) -> Int {
        if case .page(let first) = style { page + first } else { page }
    }

    /// The value of `{start}` for a page counted from 0.
    func start(of page: Int) -> Int {
        if case .item(let first) = style { page * size + first } else { page * size }
    }
}
