import Glibc

/// What the kernel says of this process's memory.
enum ProcessMemory {
    /// The resident set in bytes; 0 when /proc can't be read.
    static func resident() -> Int {
        guard let file = unsafe fopen("/proc/self/statm", "re") else { return 0 }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        // Reads at most `count` bytes into the array and ends them with NUL.
        guard unsafe fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
        return pages * Int(getpagesize())
    }
}
