import Glibc

/// Reading what is small, without saying why it can't be read.
extension SystemCall {
    /// All that a file holds, which may be one of the kernel's, of unknown size; nil when it can't be read.
    package static func contents(of path: String) -> [UInt8]? {
        // The path lives through the call.
        let raw = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        let descriptor = FileDescriptor(owning: raw)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            // The count keeps the read within the chunk.
            let count = unsafe Glibc.read(descriptor.raw, &chunk, chunk.count)
            if count < 0 { return nil }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Where a symbolic link leads; nil for what is no link, or leads farther than a path may.
    package static func target(ofLink path: String) -> [UInt8]? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Writes at most as many bytes as the array has, without a NUL.
        let count = unsafe readlink(path, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return bytes[..<count].map { UInt8(bitPattern: $0) }
    }

    /// The names in a directory, but for itself and its parent; nil when it can't be read, and `errno` says why.
    package static func names(in directory: String) -> [String]? {
        // The stream is used by this function alone, and closed at its end.
        guard let stream = unsafe opendir(directory) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // The entry is valid until the next call of readdir; its name, which ends in zero, is copied before.
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
