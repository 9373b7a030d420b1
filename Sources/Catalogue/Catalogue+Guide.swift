extension Catalogue {
    /// How to write a source file, in Markdown: what `searchctl sources guide` prints.
    package static var guide: String {
        String(decoding: PackageResources.guide_md, as: UTF8.self)
    }
}
