/// How a source numbers its pages, and how far.
package struct Paging: Equatable, Sendable {
    package enum Style: Equatable, Sendable {
        /// By page; the first page has this number.
        case page(first: Int)
        /// By the first item of the page; the first item has the first number, and no page may begin behind the last.
        case item(first: Int, last: Int?)
        /// There is one page.
        case single
    }

    package let style: Style
    /// Items of one page: the most that one call returns.
    package let size: Int
    /// How many pages may be asked for; nil when the source names no bound.
    package let pagesMax: Int?

    /// A bound on pages that is declared beside one on items is kept when it is the narrower one.
    init(style: Style, size: Int, pagesMax: Int? = nil) {
        self.style = style
        self.size = size
        switch style {
        case .single: self.pagesMax = 1
        case .item(let first, let last?):
            // The page that would begin behind the last number begins there, and repeats some of the page before.
            let pages = (last - first + size - 1) / size + 1
            self.pagesMax = min(pages, pagesMax ?? pages)
        case .page, .item: self.pagesMax = pagesMax
        }
    }

    /// How many items can be paged to, at the most.
    package var itemsMax: Int? {
        guard let pagesMax else { return nil }
        if case .item(let first, let last?) = style { return min(pagesMax * size, last - first + size) }
        return pagesMax * size
    }

    /// The value of `{page}` for a page counted from 0.
    func number(of page: Int) -> Int {
        if case .page(let first) = style { page + first } else { page }
    }

    /// The value of `{start}` for a page counted from 0.
    func start(of page: Int) -> Int {
        if case .item(let first, let last) = style { min(page * size + first, last ?? .max) } else { page * size }
    }

    /// How many of a page's items belong to the page before it.
    func repeated(on page: Int) -> Int {
        if case .item(let first, _) = style { min(page * size + first - start(of: page), size) } else { 0 }
    }
}
