import Glibc

/// The files of this repository, read once for all tests.
enum Repository {
    /// The directory with Package.swift in it.
    static let root = path(above: #filePath, steps: 4)

    /// Everything under the top directories, but for what is built.
    static let files = ["Package.swift", "Sources", "Tests", "scripts"].flatMap { files(under: $0) }

    /// A path relative to the root, when something is there.
    static func exists(_ path: String) -> Bool {
        // The path lasts as long as the call.
        unsafe access("\(root)/\(path)", F_OK) == 0
    }

    private static func path(above file: String, steps: Int) -> String {
        "/" + file.split(separator: "/").dropLast(steps).joined(separator: "/")
    }

    private static func files(under path: String) -> [SourceFile] {
        guard let names = names(in: path) else { return [SourceFile(path: path, bytes: bytes(of: path))] }
        return names.sorted().flatMap { files(under: "\(path)/\($0)") }
    }

    /// Nil when it is no directory.
    private static func names(in path: String) -> [String]? {
        // The stream is used by this function alone, and closed at its end.
        guard let stream = unsafe opendir("\(root)/\(path)") else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // The entry is valid until the next call; its name, which ends in zero, is copied before.
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func bytes(of path: String) -> [UInt8] {
        // The path lasts as long as the call.
        let descriptor = unsafe open("\(root)/\(path)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            // The count keeps the read within the chunk.
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count <= 0 { return bytes }
            bytes += chunk[..<count]
        }
    }
}
