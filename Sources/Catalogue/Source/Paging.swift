/// How a source numbers its pages, and the size of a page.
package struct Paging: Equatable, Sendable {
    package enum Style: Equatable, Sendable {
        case page(first: Int)
        /// A page is requested by the number of its first item, from `first` to `last`.
        case item(first: Int, last: Int?)
        case single
    }

    package let style: Style
    package let size: Int
    package let pagesMax: Int?

    package var itemsMax: Int? {
        guard let pagesMax else { return nil }
        if case .item(let first, let last?) = style { return min(pagesMax * size, last - first + size) }
        return pagesMax * size
    }

    func number(of page: Int) -> Int {
        if case .page(let first) = style { page + first } else { page }
    }

    func start(of page: Int) -> Int {
        if case .item(let first, let last) = style { min(page * size + first, last ?? .max) } else { page * size }
    }

    /// Returns how many items of a page are also on the previous page.
    func repeated(on page: Int) -> Int {
        if case .item(let first, _) = style { min(page * size + first - start(of: page), size) } else { 0 }
    }

    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields(["style", "first", "last", "size", "pagesMax"])
        let size = declared.part(try object.required("size").integer(in: 1...1000))
        let first = declared.part(try object["first"]?.integer(in: 0...1))
        let last = declared.part(try object["last"]?.integer(in: 1...1_000_000_000))
        let pagesMax = declared.part(try object["pagesMax"]?.integer(in: 1...1_000_000))
        let styles: [(String, Style)] = [
            ("page", .page(first: first ?? 1)), ("item", .item(first: first ?? 0, last: last)), ("single", .single),
        ]
        let style = declared.part(try object.required("style").word(styles))
        guard let size, let style else { throw declared.spoiled }
        self.style = style
        self.size = size
        switch style {
        case .single: self.pagesMax = 1
        case .item(let first, let last?):
            // A page that would begin after `last` begins at `last`, and repeats items of the previous page.
            let pages = (last - first + size - 1) / size + 1
            self.pagesMax = min(pages, pagesMax ?? pages)
        case .page, .item: self.pagesMax = pagesMax
        }
    }
}
