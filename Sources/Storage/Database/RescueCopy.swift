import CPlatform
import EventLoop
import Glibc

/// A copy of a damaged file, with what its log brings.
enum RescueCopy {
    private static let chunkBytes = 64 << 10
    /// Where a file's header says whether a log is beside it: what is read and what writes it, a byte each.
    private static let versions = 18..<20

    static func make(of file: String, at copy: String) throws(StorageError) {
        PrivateFile.removeAll(of: copy)
        let output = try makeCopy(of: file, at: copy)
        guard let (log, bytes) = WriteAheadLog.read(beside: file) else {
            // SQLite reads what is too long for us, up to the first damage.
            _ = try makeCopy(of: file + "-wal", at: copy + "-wal")
            return
        }
        for page in log.pages {
            try write(bytes[page.bytes], at: (page.number - 1) * log.pageBytes, to: output, copy)
        }
        // It needs no log any more.
        guard Reader(copy)?.bytes(at: versions.lowerBound, count: versions.count) == [2, 2] else { return }
        try write([1, 1], at: versions.lowerBound, to: output, copy)
    }

    /// A file with the same bytes, open; empty when there is none to copy.
    private static func makeCopy(of file: String, at copy: String) throws(StorageError) -> FileDescriptor {
        try PrivateFile.prepare(copy)
        // The kernel copies the path during the call.
        let raw = unsafe open(copy, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard raw >= 0 else { throw PrivateFile.failure(copy) }
        let output = FileDescriptor(owning: raw)
        guard let reader = Reader(file) else { return output }
        for start in stride(from: 0, to: reader.count, by: chunkBytes) {
            // What the disk doesn't give remains zeros.
            guard let bytes = reader.bytes(at: start, count: chunkBytes) else { continue }
            try write(bytes[...], at: start, to: output, copy)
        }
        return output
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>,
        at offset: Int,
        to output: borrowing FileDescriptor,
        _ path: String
    ) throws(StorageError) {
        var bytes = bytes
        var offset = offset
        while !bytes.isEmpty {
            // The count is that of the bytes, which live through the call.
            let count = unsafe bytes.withUnsafeBytes { unsafe pwrite(output.raw, $0.baseAddress, $0.count, offset) }
            guard count > 0 else { throw PrivateFile.failure(path) }
            bytes = bytes.dropFirst(count)
            offset += count
        }
    }

    /// A file that is read, never written.
    struct Reader: ~Copyable {
        private let descriptor: FileDescriptor
        /// Its bytes.
        let count: Int

        /// Nil when there is no such file, or it can't be read.
        init?(_ path: String) {
            // What is no file must not make it wait. The kernel copies the path during the call.
            let raw = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard raw >= 0 else { return nil }
            let opened = FileDescriptor(owning: raw)
            // It is written during the call.
            var status = stat()
            guard unsafe fstat(opened.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            descriptor = opened
            count = Int(status.st_size)
        }

        /// Some bytes, or fewer at the file's end; nil when the disk doesn't give them.
        func bytes(at offset: Int, count: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            var filled = 0
            while filled < count {
                // The kernel writes at most as many bytes as are left.
                let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                    let rest = unsafe buffer[filled...]
                    return unsafe pread(
                        descriptor.raw,
                        UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress,
                        rest.count,
                        offset + filled
                    )
                }
                guard read >= 0 else { return nil }
                guard read > 0 else { break }
                filled += read
            }
            return Array(bytes.prefix(filled))
        }
    }
}

extension WriteAheadLog {
    /// The log beside a file; nil when there is none, or it is too long to be read.
    static func read(beside file: String) -> (log: WriteAheadLog, bytes: [UInt8])? {
        guard let reader = RescueCopy.Reader(file + "-wal"), (1...bytesMax).contains(reader.count),
            let bytes = reader.bytes(at: 0, count: reader.count)
        else { return nil }
        return (WriteAheadLog(bytes, pageBytes: Database.blockBytesDefault), bytes)
    }
}
