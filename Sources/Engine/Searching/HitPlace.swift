/// A hit by the page that holds it: what merging moves about instead of text.
package struct HitPlace: Sendable {
    package let page: CachedPage
    package let index: Int

    package init(page: CachedPage, index: Int) {
        self.page = page
        self.index = index
    }

    package var entry: CachedPage.Entry { page.entries[index] }
}
