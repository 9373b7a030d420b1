import JSON

/// What a response says about the total, the reachable hits and the last page.
struct PagingFacts: Equatable {
    var total: Int?
    var reachable: Int?
    var isEnd: Bool
    var isPast = false

    init(_ shape: ResponseShape, _ paging: Paging, _ root: JSONCursor, page: Int, count: Int) {
        total = shape.total.flatMap { Self.count(at: $0, root) }
        let named = shape.reachable.flatMap { Self.count(at: $0, root) }
        let pages = shape.end.pages.flatMap { Self.count(at: $0, root) }
        let begin = page * paging.size
        // A source may report zero reachable hits on the first page.
        let shown = shape.end.behind.flatMap { Self.count(at: $0, root) }
        isPast = page > 0 && [named, shown].contains { $0.map { begin >= $0 } ?? false }
        isEnd = count == 0 || isPast
        if let pagesMax = paging.pagesMax, page + 1 >= pagesMax { isEnd = true }
        if let named, begin + paging.size >= named { isEnd = true }
        if let pages, page + 1 >= pages { isEnd = true }
        if shape.end.pastTotal, let total, begin + paging.size >= total { isEnd = true }
        if shape.end.shortPage, count < paging.size { isEnd = true }
        if shape.end.wholeOnFirst, page == 0, count < paging.size, let total, total <= count { isEnd = true }
        if let path = shape.end.whenTrue, path.first(from: root)?.scalarText == "true" { isEnd = true }
        if let path = shape.end.whenFalse, path.first(from: root)?.scalarText == "false" { isEnd = true }
        let signs = shape.end.whenAbsent
        if !signs.isEmpty, signs.allSatisfy({ $0.first(from: root)?.isNull ?? true }) { isEnd = true }
        switch paging.style {
        case .single:
            isEnd = true
            reachable = min(count, paging.size)
        case .page, .item:
            reachable = [named, pages.map { $0 * paging.size }, paging.itemsMax].compactMap(\.self).min()
            if let total, reachable != nil { reachable = min(reachable ?? total, total) }
        }
    }

    private static func count(at path: FieldPath, _ root: JSONCursor) -> Int? {
        path.first(from: root)?.scalarText.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
