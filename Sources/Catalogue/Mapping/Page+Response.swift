import JSON
import SearchModel

extension Page {
    /// Reads from a response what it says about the total, the reachable hits, the last page and the next call.
    init(_ shape: ResponseShape, _ paging: Paging, _ root: JSONCursor, page: Int, count: Int, isPast: Bool) {
        func number(_ path: FieldPath?) -> Int? { root.count(at: path) }
        self.init(total: number(shape.total), totalIsEstimate: shape.totalIsEstimate, isEnd: count == 0 || isPast)
        pause = number(shape.pause).map { .seconds(min(Int64($0), RetryAfter.secondsMax)) }
        let (named, pages) = (number(shape.reachable), number(shape.end.pages))
        let next = (page + 1) * paging.size
        if let pagesMax = paging.pagesMax, page + 1 >= pagesMax { isEnd = true }
        if let named, next >= named { isEnd = true }
        if let pages, page + 1 >= pages { isEnd = true }
        if shape.end.pastTotal, let total, next >= total { isEnd = true }
        if shape.end.shortPage, count < paging.size { isEnd = true }
        if shape.end.wholeOnFirst, page == 0, count < paging.size, let total, total <= count { isEnd = true }
        if let path = shape.end.whenTrue, path.first(from: root)?.scalarText == "true" { isEnd = true }
        if let path = shape.end.whenFalse, path.first(from: root)?.scalarText == "false" { isEnd = true }
        let signs = shape.end.whenAbsent
        if !signs.isEmpty, signs.allSatisfy({ $0.first(from: root)?.isNull ?? true }) { isEnd = true }
        if paging.style == .single {
            reachable = min(count, paging.size)
        } else {
            reachable = [named, pages.map { $0 * paging.size }, paging.itemsMax].compactMap(\.self).min()
            if let total, let most = reachable { reachable = min(most, total) }
        }
    }
}
