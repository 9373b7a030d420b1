extension Catalogue {
    /// The sources that the program brings; a file of these that is wrong is a defect of the program, and traps.
    package static func builtIn() -> Catalogue {
        var catalogue = Catalogue()
        for (name, bytes) in BuiltInFiles.all {
            do {
                try catalogue.add(file: name, bytes: bytes, trust: .builtIn)
            } catch {
                fatalError("a built-in source file is wrong: \(error)")
            }
        }
        return catalogue
    }
}

/// The files in `BuiltIn`, embedded when the program is built; accounts before their sources.
enum BuiltInFiles {
    static var all: [(name: String, bytes: [UInt8])] {
        [
            ("kakao.json5", PackageResources.kakao_json5),
            ("kakao.blog.json5", PackageResources.kakao_blog_json5),
        ]
    }
}
