/// The text of `searchctl sources guide`, which explains how to write a source file.
package enum SourceGuide {
    package static let text = String(decoding: PackageResources.source_guide_txt, as: UTF8.self)

    package static var example: String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let rest = lines.drop { !$0.hasPrefix("EXAMPLE:") }.dropFirst(2)
        return (rest.prefix { $0 != "}" } + ["}"]).map { $0 + "\n" }.joined()
    }
}
